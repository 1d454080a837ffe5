//! Models of the families for Spin, statement by statement, with `ERROR` as an assertion that fails, and with the labels of the families.
//!
//! A loop without a condition is a `do` with one branch: Spin needs no step for it.

use generate::concurrent::Variant;

/// The driver of `generate`'s `bluetooth`.
pub fn bluetooth(adders: u32, stoppers: u32, variant: Variant) -> String {
    let is_fixed = variant == Variant::Correct;
    let (if_working, always) = if is_fixed { ("decrement()", "skip") } else { ("skip", "decrement()") };
    let stop = match is_fixed {
        true => {
            "bool first;
  atomic { first = !stoppingFlag; stoppingFlag = true };
  if :: first -> decrement() :: else fi"
        }
        false => "stoppingFlag = true;\n  decrement()",
    };
    format!(
        "short pendingIo = 1; bool stoppingFlag, stoppingEvent, stopped;
inline decrement() {{
  atomic {{ pendingIo--; last = (pendingIo == 0) }};
  if :: last -> stoppingEvent = true :: else fi
}}
active [{adders}] proctype adder() {{
  bool last, status;
  pendingIo++;
  if :: stoppingFlag -> decrement(); status = false :: else -> status = true fi;
  if
  :: status -> if :: stopped -> assert(false) :: else fi; {if_working}
  :: else
  fi;
  {always}
}}
active [{stoppers}] proctype stopper() {{
  bool last;
  {stop};
  stoppingEvent;
  stopped = true
}}
"
    )
}

/// A thread that enters, works and leaves as often as it likes.
fn exclusion(name: &str, enter: &str, leave: &str) -> String {
    format!(
        "proctype {name}() {{
  do
  :: {enter};
     if :: critical -> assert(false) :: else fi;
CRITICAL: critical = true;
     critical = false;
     {leave}
  :: break
  od
}}
"
    )
}

/// Two threads that enter by the algorithm of Peterson.
pub fn peterson(variant: Variant) -> String {
    let thread = |own: u32| {
        let other = 1 - own;
        let (raise, give_way) = (format!("flag{own} = true"), format!("turn = {other}"));
        let (first, second) = match variant {
            Variant::Correct => (raise, give_way),
            Variant::Broken => (give_way, raise),
        };
        let wait = format!(
            "WAIT: do :: flag{other} -> if :: turn == {other} -> skip :: else -> break fi :: else -> break od"
        );
        exclusion(&format!("p{own}"), &format!("{first}; {second}; {wait}"), &format!("flag{own} = false"))
    };
    format!(
        "bool flag0, flag1, critical; bit turn;
{}{}init {{ atomic {{ if :: turn = 0 :: turn = 1 fi; run p0(); run p1() }} }}
",
        thread(0),
        thread(1)
    )
}

/// So many threads that enter by the algorithm of Szymanski.
pub fn szymanski(n: u32, variant: Variant) -> String {
    let mut text = format!("byte flag[{n}]; bool critical;\n");
    for own in 0..n {
        let others = || (0..n).filter(move |i| *i != own);
        let wait = format!("WAIT: ({})", joined(others().map(|i| format!("flag[{i}] < 3")), " && ", "true"));
        let stand = format!("flag[{own}] = 1");
        let (first, second) = match variant {
            Variant::Correct => (stand, wait),
            Variant::Broken => (wait, stand),
        };
        let before = joined(others().map(|i| format!("flag[{i}] == 1")), " || ", "false");
        let shut = joined(others().map(|i| format!("flag[{i}] == 4")), " || ", "false");
        let lesser = joined((0..own).map(|i| format!("flag[{i}] < 2")), " && ", "true");
        let greater =
            joined((own + 1..n).map(|i| format!("(flag[{i}] < 2 || flag[{i}] == 4)")), " && ", "true");
        let enter = format!(
            "{first}; {second}; flag[{own}] = 3;
     if :: ({before}) -> flag[{own}] = 2; ({shut}) :: else fi;
     flag[{own}] = 4; ({lesser})"
        );
        text += &exclusion(&format!("p{own}"), &enter, &format!("({greater}); flag[{own}] = 0"));
    }
    let runs: Vec<String> = (0..n).map(|own| format!("run p{own}()")).collect();
    text + &format!("init {{ atomic {{ {} }} }}\n", runs.join("; "))
}

fn joined(conditions: impl Iterator<Item = String>, word: &str, none: &str) -> String {
    let conditions: Vec<String> = conditions.collect();
    if conditions.is_empty() { none.to_owned() } else { conditions.join(word) }
}

/// A room for several readers or one writer.
pub fn readers_writers(readers: u32, writers: u32, variant: Variant) -> String {
    let (lock, unlock) = match variant {
        Variant::Correct => ("atomic { !mutex -> mutex = true };", "mutex = false;"),
        Variant::Broken => ("", ""),
    };
    format!(
        "byte n_readers; bool mutex, room, writing;
active [{readers}] proctype reader() {{
  do
  :: {lock} n_readers++;
     if :: n_readers == 1 -> atomic {{ !room -> room = true }} :: else fi;
     {unlock} READ: if :: writing -> assert(false) :: else fi;
     {lock} n_readers--;
     if :: n_readers == 0 -> room = false :: else fi;
     {unlock} skip
  :: break
  od
}}
active [{writers}] proctype writer() {{
  do
  :: true;
WANT: atomic {{ !room -> room = true }};
WRITE: if :: writing -> assert(false) :: else fi;
     writing = true;
     writing = false;
     room = false
  :: break
  od
}}
"
    )
}

/// Two threads that enter by the algorithm of Dekker.
pub fn dekker() -> String {
    let thread = |own: u32| {
        let other = 1 - own;
        let enter = format!(
            "flag{own} = true;
WAIT: do
     :: flag{other} -> if :: turn == {other} -> flag{own} = false; turn == {own}; flag{own} = true :: else fi
     :: else -> break
     od"
        );
        exclusion(&format!("p{own}"), &enter, &format!("turn = {other}; flag{own} = false"))
    };
    format!(
        "bool flag0, flag1, critical; bit turn;
{}{}init {{ atomic {{ if :: turn = 0 :: turn = 1 fi; run p0(); run p1() }} }}
",
        thread(0),
        thread(1)
    )
}

/// So many threads that share forks; one of them is left-handed, unless the variant is broken.
pub fn philosophers(n: u32, variant: Variant) -> String {
    let mut text = format!("bool fork[{n}];\n");
    for own in 0..n {
        let (right, left) = (own, (own + 1) % n);
        let is_left_handed = variant == Variant::Correct && own == 0;
        let (first, second) = if is_left_handed { (left, right) } else { (right, left) };
        text += &format!(
            "active proctype p{own}() {{
HUNGRY: do
  :: atomic {{ !fork[{first}] -> fork[{first}] = true }};
     atomic {{ !fork[{second}] -> fork[{second}] = true }};
EAT: assert(fork[{first}]);
     fork[{first}] = false;
     fork[{second}] = false
  od
}}
"
        );
    }
    text
}

/// So many threads that are served in the order of their numbers.
pub fn ticket_lock(n: u32) -> String {
    let modulus = n.max(2).next_power_of_two();
    format!(
        "byte next, serving;
active [{n}] proctype p() {{
  byte ticket;
TRY: do
  :: atomic {{ ticket = next; next = (next + 1) % {modulus} }};
WAIT: serving == ticket;
CS: assert(serving == ticket);
     serving = (serving + 1) % {modulus}
  od
}}
"
    )
}

/// So many producers and as many consumers, and a buffer with two places.
pub fn bounded_buffer(n: u32) -> String {
    format!(
        "byte count;
active [{n}] proctype producer() {{
PUT: do
  :: atomic {{ count < 2 -> count++ }};
     assert(count != 3)
  od
}}
active [{n}] proctype consumer() {{
GET: do
  :: atomic {{ count > 0 -> count-- }};
USE: skip
  od
}}
"
    )
}

/// So many pairs of threads that know nothing of the other pairs.
pub fn pairs(n: u32) -> String {
    let pair = |own: u32| {
        format!(
            "active proctype p{own}() {{
L: do :: a{own} = true; !a{own} od
}}
active proctype q{own}() {{
  do :: a{own}; a{own} = false od
}}
"
        )
    };
    let names: Vec<String> = (0..n).map(|own| format!("a{own}")).collect();
    format!("bool {};\n{}", names.join(", "), (0..n).map(pair).collect::<String>())
}

/// A stack whose top is changed by compare-and-swap.
pub fn lock_free_stack(n: u32, variant: Variant) -> String {
    let (read, same, increase) = match variant {
        Variant::Correct => ("seen = tag;", " && tag == seen", "tag++;"),
        Variant::Broken => ("", "", ""),
    };
    format!(
        "byte top = 1, next1 = 2, next2 = 0, tag; bool owned1, owned2;
inline pop(result) {{
  do
  :: {read} first = top;
     if :: first == 0 -> result = 0; break :: else fi;
     second = (first == 1 -> next1 : next2);
     atomic {{
       if
       :: top == first{same} -> top = second; {increase}
          assert(!(first == 1 -> owned1 : owned2));
          owned1 = owned1 || first == 1; owned2 = owned2 || first == 2;
          result = first; has = true
       :: else -> has = false
       fi
     }};
     if :: has -> break :: else fi
  od
}}
inline push(node) {{
  do
  :: {read} first = top;
     if :: node == 1 -> next1 = first :: else -> next2 = first fi;
     atomic {{
       if
       :: top == first{same} -> top = node; {increase}
          owned1 = owned1 && node != 1; owned2 = owned2 && node != 2; has = true
       :: else -> has = false
       fi
     }};
     if :: has -> break :: else fi
  od
}}
active [{n}] proctype worker() {{
  byte first, second, mine, other, seen; bool has;
  pop(mine);
  pop(other);
  if :: mine != 0 -> push(mine) :: else fi
}}
"
    )
}
