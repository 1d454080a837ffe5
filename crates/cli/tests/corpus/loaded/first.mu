#print "first";
