#param k = 2;
class G { bool a, b; };
bool Chain(G g[k+1]) forall i in 0..k-1. g[i] = g[i+1];
bool Start(G g[k+1]) g[0].a & !g[0].b & Chain(g);
#ons Chain;
#ons Start;
forall G g[k+1]. Start(g) -> (forall i in 0..k. g[i].a & !g[i].b);
//> #ons Chain 4
//> #ons Start 1
//> true
