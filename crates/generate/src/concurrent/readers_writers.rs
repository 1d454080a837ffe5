//! `readers_writers`: a room for several readers or one writer.
//!
//! The first reader locks the room for all of them and the last one unlocks it; a mutex protects their number. Locks
//! are taken in one step, `lock := T constrain !lock`, in which a thread waits alone. In the broken variant readers
//! do without the mutex: the second one takes it for granted that the first one has the room.
//!
//! For any number of readers the counter has two bits, and a fourth reader waits.

use super::Variant;
use super::answer::Answer;
use super::count::Count;

/// The room with so many threads that read and write there.
pub fn readers_writers(readers: Count, writers: Count, variant: Variant) -> String {
    let width = match readers {
        Count::Number(n) => (u64::from(n.get()) + 1).next_power_of_two().ilog2(),
        Count::Any => 2,
    };
    let mut text = header(readers, writers, variant);
    text += &format!(
        "decl n_readers: int<{width}>, mutex, room, writing;
init n_readers = 0 & !mutex & !room & !writing;
"
    );
    text += &reader(readers, variant);
    text += &format!("\nthread writer[{writers}]\n{WRITER}");
    text
}

fn header(readers: Count, writers: Count, variant: Variant) -> String {
    let answer = match variant {
        Variant::Correct => {
            Answer::Never { because: "a reader is counted after the first one has locked the room" }
        }
        Variant::Broken if !readers.is_several() => {
            Answer::Never { because: "one reader locks the room by itself and needs no mutex" }
        }
        Variant::Broken => Answer::From {
            switches: 2,
            rounds: if readers == Count::Any || writers == Count::Any { 1 } else { 2 },
            not_before: "a reader that does not wait needs another one that waits, for a writer",
            because: "a writer is in the room, a reader waits for it, and the second reader does not",
        },
    };
    let mutex = match variant {
        Variant::Correct => "under a mutex",
        Variant::Broken => "without a mutex",
    };
    let wait = match readers {
        Count::Any => "// A reader waits while three are counted, so that the counter does not wrap.\n",
        Count::Number(_) => "",
    };
    let starves = match readers.is_several() && variant == Variant::Correct {
        true => {
            "// A writer may wait for ever, however fair the schedule is: readers may keep the room. There is no deadlock.\n"
        }
        false => "",
    };
    format!(
        "// readers_writers, {}, {}: a room for several readers or one writer.
// The first reader locks the room and the last one unlocks it; they count themselves {mutex}.
{wait}{starves}// ERROR: a thread is in the room together with a writer.
{}",
        readers.of("reader"),
        writers.of("writer"),
        answer.lines()
    )
}

fn reader(readers: Count, variant: Variant) -> String {
    let (lock, unlock) = match variant {
        Variant::Correct => ("      mutex := T constrain !mutex;\n", "      mutex := F;\n"),
        Variant::Broken => ("", ""),
    };
    let guard = if readers == Count::Any { " constrain n_readers != 3" } else { "" };
    format!(
        "
thread reader[{readers}]
begin
  void main()
  begin
    while (*) do
{lock}      n_readers := n_readers + 1{guard};
      if (n_readers = 1) then
        room := T constrain !room;
      fi
{unlock}      READ: if (writing) then
        ERROR: skip;
      fi
{lock}      n_readers := n_readers - 1;
      if (n_readers = 0) then
        room := F;
      fi
{unlock}    od
  end
end
"
    )
}

const WRITER: &str = "begin
  void main()
  begin
    while (*) do
      WANT: room := T constrain !room;
      WRITE: if (writing) then
        ERROR: skip;
      fi
      writing := T;
      writing := F;
      room := F;
    od
  end
end
";
