//! Tests of `hosts`: processes are threads here, at addresses of this machine.

use base::Stop;
use explicit::{Lost, Peers};
use hosts::{Addresses, Hosts, Key, Meeting, Mistake, Refusal};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SECRET: &[u8] = b"not to be told to anybody\n";

/// So many addresses at which nobody listens.
fn addresses(n: usize) -> Addresses {
    let free: Vec<TcpListener> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines = free.iter().map(|listener| format!("{}\n", listener.local_addr().expect("an address")));
    Addresses::read(&lines.collect::<String>()).expect("addresses")
}

struct Asked<'a> {
    key: &'a [u8],
    question: &'a str,
    patience: Duration,
}

const USUAL: Asked<'static> = Asked { key: SECRET, question: "the same", patience: Duration::from_secs(30) };

fn meet(addresses: &Addresses, own: u8, asked: &Asked<'_>) -> Result<Hosts, Refusal> {
    let key = Key::new(asked.key).expect("a key");
    let Asked { question, patience, .. } = *asked;
    Meeting { addresses, own, key: &key, question, patience }.connect()
}

/// What happens to each of them.
fn all<T: Send>(n: u8, ask: impl Fn(&Addresses, u8) -> T + Sync) -> Vec<T> {
    let addresses = &addresses(n.into());
    let ask = &ask;
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..n).map(|own| scope.spawn(move || ask(addresses, own))).collect();
        asked.into_iter().map(|asked| asked.join().expect("nobody panics")).collect()
    })
}

#[test]
fn everybody_hears_what_everybody_says_in_order() {
    all(4, |addresses, own| {
        let hosts = meet(addresses, own, &USUAL).expect("all come");
        for round in 0..20usize {
            // Short and long: more than a socket holds.
            let text = |from: u8, to: u8| vec![from * 16 + to; if round == 7 { 3 << 20 } else { round * 5 }];
            let heard = hosts.exchange((0..4).map(|to| text(own, to)).collect()).expect("nobody is lost");
            assert_eq!(heard, (0..4).map(|from| text(from, own)).collect::<Vec<_>>());
        }
    });
}

#[test]
fn what_was_said_last_is_heard_though_the_speaker_has_gone() {
    let heard = all(2, |addresses, own| {
        let hosts = meet(addresses, own, &USUAL).expect("all come");
        hosts.exchange(vec![vec![own; 1 << 22]; 2]).expect("it was said").concat().len()
    });
    assert_eq!(heard, [2 << 22; 2]);
}

#[test]
fn who_hangs_up_is_named_by_all_others() {
    let lost = all(4, |addresses, own| {
        let hosts = meet(addresses, own, &USUAL).expect("all come");
        let told = || (0..4).map(|_| vec![own]).collect();
        hosts.exchange(told()).expect("nobody is lost");
        if own == 2 {
            return None;
        }
        hosts.exchange(told()).err()
    });
    let named = Some(Lost { peer: 2 });
    assert_eq!(lost, [named, named, None, named]);
}

#[test]
fn who_works_unheard_is_stopped_by_a_loss_and_not_by_a_farewell() {
    let was_stopped = all(3, |addresses, own| {
        let hosts = meet(addresses, own, &USUAL).expect("all come");
        let (told, stop) = (|| (0..3).map(|_| vec![own]).collect(), Stop::default());
        hosts.exchange(told()).expect("nobody is lost");
        match own {
            0 => return false,
            // The first one has said farewell; who misses it says so to the others.
            1 => hosts.stop_if_lost(Some(&stop)),
            _ => {
                hosts.stop_if_lost(Some(&stop));
                for _ in 0..4000 {
                    if stop.is_requested().is_some() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
        assert_eq!(hosts.exchange(told()), Err(Lost { peer: 0 }));
        stop.is_requested().is_some()
    });
    assert_eq!(was_stopped, [false, false, true]);
}

#[test]
fn who_waits_for_others_does_not_keep_its_process_from_leaving() {
    let has_closed = AtomicBool::new(false);
    all(2, |addresses, own| {
        let hosts = meet(addresses, own, &USUAL).expect("all come");
        let told = || vec![vec![own]; 2];
        hosts.exchange(told()).expect("nobody is lost");
        if own == 0 {
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| hosts.exchange(told()));
                std::thread::sleep(Duration::from_millis(100));
                hosts.close();
                has_closed.store(true, Ordering::SeqCst);
                waiting.join().expect("nobody panics").expect("the other one says something in the end");
            });
            return;
        }
        for _ in 0..2000 {
            if has_closed.load(Ordering::SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(has_closed.load(Ordering::SeqCst), "it has left although somebody waits");
        hosts.exchange(told()).expect("nobody is lost");
    });
}

#[test]
fn who_does_not_come_is_named() {
    let addresses = addresses(2);
    let asked = Asked { patience: Duration::from_millis(300), ..USUAL };
    for own in [0, 1] {
        match meet(&addresses, own, &asked) {
            Err(Refusal::Missing { name, .. }) => assert_eq!(name, addresses.name(1 - own)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn who_does_not_know_the_key_is_sent_away() {
    let found = all(2, |addresses, own| {
        let key: &[u8] = if own == 0 { SECRET } else { b"something that is no secret" };
        let asked = Asked { key, patience: Duration::from_millis(700), ..USUAL };
        meet(addresses, own, &asked).err().map(|refusal| refusal.to_string())
    });
    let [first, second] = &found[..] else { panic!("there are two") };
    let first = first.as_deref().expect("nobody comes");
    assert!(first.contains("did not come up") && first.contains("does not know the key"), "{first}");
    assert!(second.as_deref().expect("it is sent away").contains("does not know the key"), "{second:?}");
}

#[test]
fn who_asks_something_else_is_told_so() {
    let found = all(2, |addresses, own| {
        let asked = Asked { question: ["this", "that"][usize::from(own)], ..USUAL };
        meet(addresses, own, &asked).err()
    });
    let asks = |refusal: &Option<Refusal>| match refusal {
        Some(Refusal::Differs { asks, .. }) => asks.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!([asks(&found[0]), asks(&found[1])], ["that", "this"]);
}

#[test]
fn strangers_do_not_keep_others_from_coming() {
    let addresses = &addresses(2);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || meet(addresses, 0, &USUAL).expect("the other one comes"));
        for garbage in
            [&b"GET / HTTP/1.1\r\n\r\n"[..], b"", b"getafix hosts 2\n\x01\x00garbage", &[255; 5000]]
        {
            let mut stream = loop {
                match TcpStream::connect(addresses.name(0)) {
                    Ok(stream) => break stream,
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            };
            let _ = stream.write_all(garbage);
        }
        let second = meet(addresses, 1, &USUAL).expect("the first one is there");
        let told = || vec![vec![1], vec![2]];
        let first = scope.spawn(move || first.join().expect("it comes").exchange(told()));
        assert_eq!(second.exchange(told()), Ok(vec![vec![2], vec![2]]));
        assert_eq!(first.join().expect("it comes"), Ok(vec![vec![1], vec![1]]));
    });
}

#[test]
fn a_list_of_hosts_is_read_or_its_mistake_is_shown() {
    let addresses = Addresses::read("# two\n127.0.0.1:7000\n\n  [::1]:7001 # here\n").expect("addresses");
    assert_eq!(
        (addresses.number(), addresses.name(0), addresses.name(1)),
        (2, "127.0.0.1:7000", "[::1]:7001")
    );
    let mistake = |text: &str| {
        let Mistake { at, length, .. } = Addresses::read(text).expect_err("it is wrong");
        (at, length)
    };
    assert_eq!(mistake("a:1\n  somewhere \n"), (6, 9));
    assert_eq!(mistake("a:1\nb:70000\n"), (4, 7));
    assert_eq!(mistake("a:1\nb:0\n"), (4, 3));
    assert_eq!(mistake("a:1\na:1\n"), (4, 3));
    assert_eq!(mistake("a b:1\n"), (0, 5));
    assert_eq!(mistake("# nobody\n"), (9, 0));
    assert!(Key::new(b"short\n").is_err());
}
