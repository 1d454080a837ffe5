#load "../loaded/./ouroboros.mu";
