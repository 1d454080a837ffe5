#print "second";
