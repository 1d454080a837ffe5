enum I { 0 .. 2 };
#explicit I;
class G { bool x, y; };
mu bool R(I i, G g[3])
    i = 0 & g[0].x & !g[0].y
  | (exists I j, G h. R(j, g) & i = 1 & j = 0 & h = g[0] & g[i] = h);
// i = 1: g[0] = g[1], 2 * 4; i = 2: one of the others is like g[2], 2 * 7.
bool At(I i, G g[3]) g[i].x & (exists I j. j < i & g[j] = g[i]);
#ons R;
#ons At;
//> #ons R 20
//> #ons At 22
