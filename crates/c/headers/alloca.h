void *alloca(__SIZE_TYPE__);
