enum N { 0 .. 3 };
bool Succ(N a, N b) a = 0 & b = 1 | a = 1 & b = 2 | a = 2 & b = 3;
mu bool R(N n) n = 1 | Image(n);
bool Image(N n) exists N m. Back(m) & Succ(m, n);
bool Back(N n) R(n);
#ons Image;
#ons R;
#ons Back;
Image(1);
//> #ons Image 2
//> #ons R 3
//> #ons Back 3
//> false
