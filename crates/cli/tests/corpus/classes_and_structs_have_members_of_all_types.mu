enum Room { gate, hall, attic };
class A { Room at; bool lamp[3], open; };
struct B { A left, right; Room visited[2]; };
class C { };
bool AllA(A a) true;
bool AllB(B b) true;
bool AllC(C c) true;
bool One(B b)
    b.left.at = hall & b.left.lamp[0] & !b.left.lamp[1] & b.left.lamp[2] & b.left.open
  & b.right = b.left
  & b.visited[0] = gate & b.visited[1] = attic;
#ons AllA;
#ons AllB;
#ons AllC;
#ons One;
#wit exists B b. One(b);
forall C c, C d. c = d;
//> #ons AllA 48
//> #ons AllB 20736
//> #ons AllC 1
//> #ons One 1
//> #wit b.left.at = hall, b.left.lamp[0] = true, b.left.lamp[1] = false, b.left.lamp[2] = true, b.left.open = true, b.right.at = hall, b.right.lamp[0] = true, b.right.lamp[1] = false, b.right.lamp[2] = true, b.right.open = true, b.visited[0] = gate, b.visited[1] = attic
//> true
