#load loaded/rooms;
#load loaded/rooms.mu;
exists Room r. r = c;
//> true
