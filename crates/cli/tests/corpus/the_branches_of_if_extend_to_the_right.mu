// if (0) 0 else (0 | 1), if (0) (0 -> 0), and if (1) (exists …)
if (0) 0 else 0 | 1;
if (1) 1 -> 0;
if (1) exists bool x. x else 0;
(if (1) 0) | 1;
//> true
//> false
//> true
//> true
