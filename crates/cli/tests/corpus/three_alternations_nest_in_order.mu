// mu A. nu B. mu C: C copies B or A, B copies C, A copies B: nu B. mu C. (B | A) is full in the first round.
mu bool A();
nu bool B();
mu bool C() B() | A();
nu bool B() C();
mu bool A() B();
C(); A(); B();
// mu D. nu E. mu F: F copies D, E copies F, D copies E: nothing ever gets in.
mu bool D() E();
nu bool E() F();
mu bool F() D();
E(); F(); D();
//> true
//> true
//> true
//> false
//> false
//> false
