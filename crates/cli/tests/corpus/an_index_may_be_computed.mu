enum I { 0 .. 3 };
bool Next(bool b[4], I i) b[i+1];
bool Prev(bool b[4], I i) b[i-1];
bool Here(bool b[4], I i) b[i];
// For each of 3 indices that fit, 8 of 16 arrays.
#ons Next;
#ons Prev;
#ons Here;
forall bool b[4]. Next(b, 0) <-> b[1];
forall bool b[4]. Prev(b, 3) <-> b[2];
//> #ons Next 24
//> #ons Prev 24
//> #ons Here 32
//> true
//> true
