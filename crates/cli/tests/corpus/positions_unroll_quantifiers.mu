bool All(bool b[4]) forall i in 0..3. b[i];
bool Some(bool b[4]) exists i in 0..3. b[i];
bool Inner(bool b[4]) exists i in 1..2. b[i];
bool Two(bool b[4]) exists i in 0..2. exists j in 1..3. b[i] & b[j] & !(exists k in 0..0. b[k]);
#ons All;
#ons Some;
#ons Inner;
#ons Two;
exists i in 2..1. 1;
forall i in 2..1. 0;
//> #ons All 1
//> #ons Some 15
//> #ons Inner 12
//> #ons Two 6
//> false
//> true
