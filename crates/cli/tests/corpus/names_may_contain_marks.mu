enum S#1 { a', b$c, d#e };
bool next'(S#1 s') s' = d#e | s' = b$c;
#ons next';
//> #ons next' 2
