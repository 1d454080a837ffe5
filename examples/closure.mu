// Transitive closure, with explicit keys.
//
// `#explicit Node` stores nodes as keys of tables instead of bits of decision diagrams. The answers do not change, the
// time may: sparse things such as nodes of a graph and program counters are better as keys, data is better as bits.
// Compare with `getafix mu --symbolic examples/closure.mu`, which ignores the directive.
//
//   getafix mu examples/closure.mu

enum Node { 0..7 };
#explicit Node;

// Two rings, 0 1 2 3 and 4 5 6 7, and a bridge from 2 to 5.
bool Edge(Node a, Node b)
    a = 0 & b = 1 | a = 1 & b = 2 | a = 2 & b = 3 | a = 3 & b = 0
  | a = 4 & b = 5 | a = 5 & b = 6 | a = 6 & b = 7 | a = 7 & b = 4
  | a = 2 & b = 5;

mu bool Path(Node a, Node b)
    Edge(a, b)
  | (exists Node m. Path(a, m) & Edge(m, b));

Path(0, 7);
Path(7, 0);
forall Node a. Path(a, a);                     // every node lies on a cycle
#ons Path;                                     // 16 pairs in each ring, 16 across the bridge
#cex forall Node a. Path(a, 0);                // a node that does not lead to 0

// Output:
//> true
//> false
//> true
//> #ons Path 48
//> #cex a = 4
