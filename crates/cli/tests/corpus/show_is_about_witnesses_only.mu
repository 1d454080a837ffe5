enum S { start, loop1, loop2, goal };
bool T(S s, S t)
  case
    s = start : t = loop1 | t = loop2;
    s = loop1 : t = goal;
    s = goal : t = start;
  esac
{ show s, t }
;
mu bool Reach(S s)
  s = start {show "begin"} |
  (exists S t. Reach(t) { show t } & T(t, s) {show "step", t, s}{ show s })
{ show "reached", s }
;
#ons Reach;
Reach(loop2) {show "end"};
#wit exists S s. Reach(s) & s != start & s != loop1 {show s} & s != goal;
//> #ons Reach 4
//> true
//> #wit s = loop2
