//! One line: a program goes in, a verdict and a run come out.

pub(crate) fn main() {
    let reply = getafix::check("decl x; void main() begin x := *; assert(x); end");
    println!("{}", reply.text);
    assert_eq!(reply.verdict(), "reachable");
    let trace = reply.trace().expect("what is reachable has a run");
    println!("{} steps", trace["steps"].as_array().map_or(0, Vec::len));
}
