enum T$1 { v', $w, x'' };
bool R'(T$1 a', T$1 $, T$1 _b$') a' = $ & $ != _b$';
#ons R';
exists T$1 x'. R'(x', x', v') & x' = $w;
//> #ons R' 6
//> true
