true; // false;
/* false; // */ true;
/* a comment
   of several lines * / false;
**/ exists /* between words */ bool // at the end of a line
x. x;
//> true
//> true
//> true
