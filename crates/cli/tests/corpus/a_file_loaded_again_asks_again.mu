#load "loaded/asks";
#load "loaded/asks.mu";
Asked(0);
//> true
//> true
//> false
