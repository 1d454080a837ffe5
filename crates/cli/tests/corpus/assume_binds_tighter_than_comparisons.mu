// 0 = (0 assume 0) is true; (0 = 0) assume 0 is false.
0 = 0 assume 0;
(0 = 0) assume 0;
1 assume 0 = 0;
!0 assume 1;
//> true
//> false
//> true
//> true
