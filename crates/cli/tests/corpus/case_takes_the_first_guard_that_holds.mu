enum E { a, b, c, d };
bool C(E e, bool v)
  case e = a : v;
       e = b | e = a : !v;
       e = c : 1;
  esac;
C(a, 1); C(a, 0); C(b, 1); C(b, 0); C(c, 0);
#ons C;
// Where no guard holds, it is false.
exists bool v. C(d, v);
case 1 : 0; 1 : 1; esac;
case 0 : 1; esac;
!case 0 : 1; esac & case 1 : 1; esac;
//> true
//> false
//> false
//> true
//> true
//> #ons C 4
//> false
//> false
//> false
//> true
