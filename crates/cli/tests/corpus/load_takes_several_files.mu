#load loaded/second, "loaded/first.mu";
//> first
//> second
