enum S { a, b, c };
EXISTS S s. s = b;
Exists S s: s = b;
FORALL S s. s = b;
Forall S s. Exists S t. s != t;
//> true
//> true
//> false
//> true
