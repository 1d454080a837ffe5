#print "in quits";
#quit;
#print "after";
