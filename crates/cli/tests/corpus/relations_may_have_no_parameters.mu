mu bool Never() Never();
nu bool Always() Always();
bool Both() Always() & !Never();
mu bool Ping() Pong() | 0;
mu bool Pong() Ping() | 1;
Never();
Always();
Both();
Ping();
#ons Never;
#ons Always;
#ons Pong;
//> false
//> true
//> true
//> true
//> #ons Never 0
//> #ons Always 1
//> #ons Pong 1
