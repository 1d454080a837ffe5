// Loads its neighbours by names relative to this file.
#load "more";
#load "../rooms";
bool Door(Room p, Room q) p = a & q = b | p = b & q = c;
More();
