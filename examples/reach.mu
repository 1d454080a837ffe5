// Reachability: the smallest useful fixed point.
//
// A castle has five rooms, and some doors open one way only. Which rooms can be reached from the gate, and how?
//
//   getafix mu examples/reach.mu

enum Room { gate, hall, cellar, tower, garden };

// The doors. A `case` whose guards all fail is false: no door leads out of the garden.
bool Door(Room from, Room to)
  case
    from = gate   : to = hall;
    from = hall   : to = gate | to = cellar;
    from = cellar : to = garden;
    from = tower  : to = hall;
  esac;

// The least set that contains the gate and is closed under doors. Each line of the body is one clause.
mu bool Reach(Room r)
    r = gate
  | (exists Room q. Reach(q) & Door(q, r));

Reach(garden);                         // a query: its truth value is printed
Reach(tower);                          // the door of the tower opens outwards only
#ons Reach;                            // how many rooms can be reached?
#wit exists Room r. !Reach(r);         // a room that cannot
#explain Reach(garden);                // why the garden can: a derivation; each step rests on those behind `from`
#certify Reach;                        // Reach satisfies its equation: checked once more, clause by clause

// Output. A step gives a tuple, its clause with the place in this file, the values of quantified variables, and the
// steps it rests on. The branches of `case` are clauses, too.
//> true
//> false
//> #ons Reach 4
//> #wit r = tower
//> #explain 1. Reach(garden) by clause 2 (examples/reach.mu:21:6), with q = cellar, from 2, 7
//> #explain 2. Reach(cellar) by clause 2 (examples/reach.mu:21:6), with q = hall, from 3, 6
//> #explain 3. Reach(hall) by clause 2 (examples/reach.mu:21:6), with q = gate, from 4, 5
//> #explain 4. Reach(gate) by clause 1 (examples/reach.mu:20:5)
//> #explain 5. Door(gate, hall) by clause 1 (examples/reach.mu:12:5)
//> #explain 6. Door(hall, cellar) by clause 2 (examples/reach.mu:13:5)
//> #explain 7. Door(cellar, garden) by clause 3 (examples/reach.mu:14:5)
//> #certify Reach holds: Door 4 clauses, Reach 2 clauses
