//! A question that takes long: somebody listens, looks how far it is, and stops it.

use getafix::{Events, Output, Request, Said, Status, StopReason};
use std::time::Duration;

/// Two numbers below 2^31 are to be found whose product is 2^61 - 1, which is prime.
const PROGRAM: &str = "
void main() begin
    decl a: int<64>, b: int<64>;
    assume(a < 2147483648 & b < 2147483648 & a * b = 2305843009213693951);
    ERROR: skip;
end
";

pub(crate) fn main() {
    let request = Request::check("product.bp", PROGRAM);
    let listener = |said: Said<'_>| {
        if let Said::Conclusion(conclusion) = said {
            println!("{}", conclusion.text);
        }
    };
    let mut events = Events::sealed().heard(Output::default(), Box::new(listener));
    let (stop, gauge) = (events.stop.clone(), events.gauge.clone());
    let reply = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            println!("so far: {:?}", gauge.read());
            stop.request(StopReason::Interrupt);
        });
        getafix::answer(&request, &mut events)
    });
    assert_eq!((reply.status, reply.verdict()), (Status::Unknown, "unknown"));
    println!("{}", reply.reason().unwrap_or_default());
}
