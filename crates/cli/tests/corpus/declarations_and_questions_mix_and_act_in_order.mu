true;
bool Later() Last();
Later();
bool Last() false;
#print "text";
Later();
//> true
//> false
//> text
//> false
