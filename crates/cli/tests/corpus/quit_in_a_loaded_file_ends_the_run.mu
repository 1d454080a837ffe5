true;
#load "loaded/quits";
false;
//> true
//> in quits
