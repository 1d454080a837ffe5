enum T { 0...3 };
enum U { 0 . . 3 };
enum V { 1 . . . 3 };
enum W { 0.. .2 };
bool R(T t, U u, V v, W w) true;
#ons R;
//> #ons R 144
