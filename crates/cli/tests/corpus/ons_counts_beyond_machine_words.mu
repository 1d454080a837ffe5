//! solver only
enum E { a, b, c };
bool Full(E x[20], bool y[70]) 1;
// 3^20 * 2^70
#ons Full;
//> #ons Full 4116468447068778161879881089024
