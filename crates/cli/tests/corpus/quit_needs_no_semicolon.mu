//> true
true;
#quit
@@@ whatever stands here, "nobody reads it /* and
