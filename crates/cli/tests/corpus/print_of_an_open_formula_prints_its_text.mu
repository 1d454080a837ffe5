#print x;
#print x & y | z;
//> x
//> x & y | z
