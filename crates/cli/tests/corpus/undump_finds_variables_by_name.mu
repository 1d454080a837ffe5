//! solver only
// The file was written with y before x, and has all tuples with x. Constraints and storage order the bits; they do
// not change what a file means.
bool Swapped(bool x, bool y) false;
#undump Swapped;
#ons Swapped;
Swapped(1, 0);
Swapped(0, 1);
//> #undump Swapped Swapped.dddmp
//> #ons Swapped 2
//> true
//> false
