bool Asked(bool x) x;
Asked(1);
