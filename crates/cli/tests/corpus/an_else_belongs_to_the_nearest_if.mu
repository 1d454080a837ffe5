// if (0) (if (1) 1 else 0) is true; (if (0) if (1) 1) else 0 would be false.
if (0) if (1) 1 else 0;
if (1) if (0) 1 else 0;
if (1) if (0) 0 else 1 else 0;
if (0) 1 else if (1) 0 else 1;
//> true
//> false
//> true
//> false
