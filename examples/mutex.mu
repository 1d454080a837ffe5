// Mutual exclusion: Peterson's algorithm for two processes.
//
// Each process raises its flag, gives way to the other, and waits until the other has lowered its flag or given way:
//
//   idle:  flag[me] := true          set:   turn := other
//   wait:  await !flag[other] | turn = me
//   crit:  flag[me] := false
//
//   getafix mu examples/mutex.mu

enum Pc { idle, set, wait, crit };

// `turn` is true if it is process 1's turn.
class State { Pc pc[2]; bool flag[2]; bool turn; };

bool Initially(State s)
  s.pc[0] = idle & s.pc[1] = idle & !s.flag[0] & !s.flag[1];

// One step of process 0, one of process 1. The other one's counter and flag stay as they are.
bool Step0(State s, State t)
  s.pc[1] = t.pc[1] & s.flag[1] = t.flag[1] &
  case
    s.pc[0] = idle : t.pc[0] = set & t.flag[0] & t.turn = s.turn;
    s.pc[0] = set  : t.pc[0] = wait & t.flag[0] = s.flag[0] & t.turn;
    s.pc[0] = wait : (!s.flag[1] | !s.turn) & t.pc[0] = crit & t.flag[0] = s.flag[0] & t.turn = s.turn;
    s.pc[0] = crit : t.pc[0] = idle & !t.flag[0] & t.turn = s.turn;
  esac;

bool Step1(State s, State t)
  s.pc[0] = t.pc[0] & s.flag[0] = t.flag[0] &
  case
    s.pc[1] = idle : t.pc[1] = set & t.flag[1] & t.turn = s.turn;
    s.pc[1] = set  : t.pc[1] = wait & t.flag[1] = s.flag[1] & !t.turn;
    s.pc[1] = wait : (!s.flag[0] | s.turn) & t.pc[1] = crit & t.flag[1] = s.flag[1] & t.turn = s.turn;
    s.pc[1] = crit : t.pc[1] = idle & !t.flag[1] & t.turn = s.turn;
  esac;

// The bits of s and t are interleaved, because a step leaves most of them alone.
bool Step(State s, State t)
  s ~+ t
  Step0(s, t) | Step1(s, t);

mu bool Reachable(State s)
    Initially(s)
  | (exists State p. Reachable(p) & Step(p, s));

// EF critical: from s, process 0 can get into its critical section.
mu bool CanEnter(State s)
    s.pc[0] = crit
  | (exists State t. Step(s, t) & CanEnter(t));

// EG waiting: from s there is a run in which process 0 waits for ever. A greatest fixed point.
nu bool WaitsForEver(State s)
  s.pc[0] = wait & (exists State t. Step(s, t) & WaitsForEver(t));

#print "never both in the critical section:";
forall State s. Reachable(s) -> !(s.pc[0] = crit & s.pc[1] = crit);
#print "process 0 can always get in:";
forall State s. Reachable(s) -> CanEnter(s);
#print "process 0 can be overtaken for ever:";
exists State s. Reachable(s) & WaitsForEver(s);
#print "reachable states:";
#ons Reachable;

// Output:
//> never both in the critical section:
//> true
//> process 0 can always get in:
//> true
//> process 0 can be overtaken for ever:
//> false
//> reachable states:
//> #ons Reachable 20
