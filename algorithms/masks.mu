// masks: which of the threads that there is one of are used in a block. Loaded by the linear interfaces.

class Mask { bool uses[threads]; };

bool None(Mask M) forall j in 0..threads - 1. !M.uses[j];

// M is L and thread t. Of a thread that stands for any number there is always one more.
bool Plus(Mask L, Thread t, Mask M)
    forall j in 0..threads - 1.
        (t = j & !Star(t) & M.uses[j] & !L.uses[j]) | ((t != j | Star(t)) & M.uses[j] = L.uses[j]);

// No thread is used on both sides.
bool Apart(Mask L, Mask R) forall j in 0..threads - 1. !L.uses[j] | !R.uses[j];
