true;
#quit;
false;
//> true
