class Bit { bool on; };
class Row { Bit bit[2]; };
class Grid { Row row[2]; };
bool Diagonal(Grid g)
  g.row[0].bit[0].on & g.row[1].bit[1].on & !g.row[0].bit[1].on & !g.row[1].bit[0].on;
bool SameRows(Grid g) g.row[0] = g.row[1];
bool Row0(Row r) exists Grid g. Diagonal(g) & g.row[0] = r;
#ons Diagonal;
#ons SameRows;
#ons Row0;
forall Grid g. Diagonal(g) -> !SameRows(g);
exists Row r. Row0(r) & r.bit[0].on & !r.bit[1].on;
//> #ons Diagonal 1
//> #ons SameRows 4
//> #ons Row0 1
//> true
//> true
