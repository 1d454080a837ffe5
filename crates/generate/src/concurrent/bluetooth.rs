//! `bluetooth`: a driver that is stopped while requests arrive.
//!
//! Papers: KISS (PLDI 2004) has the driver, [PLDI09], figure 3, the table of context switches. `pendingIo` counts the
//! requests at work and one for the driver itself; when it falls to 0, the device may be stopped.
//!
//! The mistakes: an adder that is turned away counts itself out twice, in `io_increment` and in `main`; and every
//! stopper takes back the one that is there for the driver. Either brings the counter to 0 too early. Without them the
//! counter is 1 for the driver, until the first stopper, plus 1 for each adder between its increment and its decrement. An
//! adder that works has seen the flag down after its increment: the driver's 1 was there, and from then on its own is.
//!
//! For fixed numbers the counter is wide enough that none of its values, which may be negative, equals another. For
//! any number of adders no width is, and a counter that wraps would let even the correct driver fail, at some large
//! bound. There it has three bits, and an adder waits while it is at its greatest value. Any number of stoppers wraps
//! the counter of the broken driver only, after it was 0, which does not change the answer.

use super::Variant;
use super::answer::Answer;
use super::count::Count;

/// The driver with so many threads that ask it to work, and so many that stop it.
pub fn bluetooth(adders: Count, stoppers: Count, variant: Variant) -> String {
    let mut text = header(adders, stoppers, variant);
    text += &format!(
        "decl pendingIo: int<{}>, stoppingFlag, stoppingEvent, stopped;
init pendingIo = 1 & !stoppingFlag & !stoppingEvent & !stopped;
",
        width(adders, stoppers)
    );
    text += &adder(adders, variant);
    text += &stopper(stoppers, variant);
    text
}

fn header(adders: Count, stoppers: Count, variant: Variant) -> String {
    let fixed = if variant == Variant::Correct { ", fixed" } else { "" };
    format!(
        "// bluetooth, {}, {}{fixed}: a driver that is stopped while requests arrive.
// An adder counts itself in, works unless the driver is being stopped, and counts itself out. A stopper forbids further
// work, takes back the 1 that is counted for the driver, waits until nothing is counted, and stops the device.
// ERROR: an adder works on a device that is stopped. {}
{}{}",
        adders.of("adder"),
        stoppers.of("stopper"),
        match (adders, stoppers) {
            (Count::Number(_), Count::Number(_)) => "Every run ends, and none in a deadlock.",
            _ => "Every run ends.",
        },
        match adders {
            Count::Number(_) => "",
            Count::Any => "// An adder waits while the counter is at its greatest value, so that it does not wrap.\n",
        },
        answer(adders, stoppers, variant).lines()
    )
}

fn answer(adders: Count, stoppers: Count, variant: Variant) -> Answer<'static> {
    if variant == Variant::Correct {
        return Answer::Never { because: "whoever works is counted, and nothing is stopped before 0" };
    }
    match (adders.is_several(), stoppers.is_several()) {
        (_, true) => Answer::From {
            switches: 3,
            rounds: 2,
            not_before: "a working adder must be interrupted, and one stopper alone does not bring the counter to 0",
            because: "an adder about to work is followed by two stoppers, each of which takes 1 back, and works",
        },
        (true, false) => Answer::From {
            switches: 4,
            rounds: 3,
            not_before: "an adder counts itself out twice only after the flag is up, and the stopper must go on after it",
            because: "an adder about to work is followed by the stopper's flag, an adder that is turned away, and the rest",
        },
        (false, false) => Answer::Never { because: "one adder cannot be working and turned away" },
    }
}

/// The bits of the counter. Each adder adds 1 and takes back at most 2, each stopper takes back at most 1.
fn width(adders: Count, stoppers: Count) -> u32 {
    let most = |count: Count| match count {
        Count::Number(n) => u64::from(n.get()),
        Count::Any => 0,
    };
    let n_values = 2 * most(adders) + most(stoppers) + 1;
    n_values.next_power_of_two().ilog2().max(3)
}

const IO_DECREMENT: &str = "
  void io_decrement()
  begin
    decl last;
    atomic begin
      pendingIo := pendingIo - 1;
      last := pendingIo = 0;
    end
    if (last) then
      stoppingEvent := T;
    fi
  end
";

fn adder(adders: Count, variant: Variant) -> String {
    let guard = if adders == Count::Any { " constrain pendingIo != 7" } else { "" };
    let (decrement_if_working, decrement) = match variant {
        Variant::Correct => ("\n      io_decrement();", ""),
        Variant::Broken => ("", "\n    io_decrement();"),
    };
    format!(
        "
thread adder[{adders}]
begin{IO_DECREMENT}
  bool io_increment()
  begin
    pendingIo := pendingIo + 1{guard};
    if (stoppingFlag) then
      io_decrement();
      return F;
    fi
    return T;
  end

  void main()
  begin
    decl status;
    status := io_increment();
    if (status) then
      if (stopped) then
        ERROR: skip;
      fi{decrement_if_working}
    fi{decrement}
  end
end
"
    )
}

fn stopper(stoppers: Count, variant: Variant) -> String {
    let stop = match variant {
        Variant::Correct => {
            "decl first;
    atomic begin
      first := !stoppingFlag;
      stoppingFlag := T;
    end
    if (first) then
      io_decrement();
    fi"
        }
        Variant::Broken => {
            "stoppingFlag := T;
    io_decrement();"
        }
    };
    format!(
        "
thread stopper[{stoppers}]
begin{IO_DECREMENT}
  void main()
  begin
    {stop}
    assume(stoppingEvent);
    stopped := T;
  end
end
"
    )
}
