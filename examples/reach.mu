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
#explain Reach(garden);                // why the garden can: a derivation, read from the bottom up
#certify Reach;                        // Reach satisfies its equation: checked once more, clause by clause

// Output, after which the lines of `#explain` follow, one per step:
//> true
//> false
//> #ons Reach 4
//> #wit r = tower
