#load "loaded/rooms";
#load "loaded/deeper/doors.mu";
Door(a, b);
#ons Door;
//> true
//> true
//> #ons Door 2
