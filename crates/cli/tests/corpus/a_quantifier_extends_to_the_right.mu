// exists x. (x & 0 | 1) and exists x. (x -> 0), not (exists x. x) -> 0.
exists bool x. x & 0 | 1;
exists bool x. x -> 0;
(exists bool x. x) -> 0;
forall bool x. x | !x;
(forall bool x. x) | 1;
//> true
//> true
//> false
//> true
//> true
