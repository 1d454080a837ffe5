// !(a = b), not (!a) = b; the two agree for Booleans, so the second line is about an enum.
enum E { x, y, z };
forall E e. !e = x <-> e != x;
exists E e. !e = x & e = y;
!0 & 0;
!!1;
! ! ! 1;
//> true
//> true
//> false
//> true
//> false
