//! Messages on a stream: a header that says how long the message is, and the message.
//!
//! Contract: a header without a length is told and passed over, and so is a message that is too large; reading goes on behind it. Nothing is reserved for a length that is only claimed.

use std::io::{self, BufRead, Read, Write};

/// A longer line is no header.
const MAX_LINE: u64 = 8192;

/// More lines than this are no header.
const MAX_LINES: usize = 64;

/// A longer message is not read.
pub const MAX_MESSAGE: u64 = 1 << 29;

/// What comes in.
pub enum Incoming {
    /// A message.
    Message(Vec<u8>),
    /// There is a header without a length, or something else.
    Headless,
    /// The message is larger than anything that is read.
    TooLarge,
    /// The stream has ended, perhaps inside a message.
    End,
}

/// The next message.
pub fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length = None;
    let mut line = Vec::new();
    for n in 0..MAX_LINES {
        line.clear();
        input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Incoming::End);
        }
        if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
            return Ok(Incoming::Headless);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length {
                Some(length) => return body(input, length),
                // Blank lines between messages are nothing.
                None if n == 0 => return read_behind_blank(input),
                None => return Ok(Incoming::Headless),
            }
        }
        if let Some((name, value)) = text.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    Ok(Incoming::Headless)
}

/// Passes over blank lines.
fn read_behind_blank(input: &mut impl BufRead) -> io::Result<Incoming> {
    loop {
        let blank = input.fill_buf()?.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if blank == 0 {
            break;
        }
        input.consume(blank);
    }
    match input.fill_buf()?.is_empty() {
        true => Ok(Incoming::End),
        false => read(input),
    }
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Incoming> {
    let mut message = input.take(length);
    if length > MAX_MESSAGE {
        io::copy(&mut message, &mut io::sink())?;
        return Ok(Incoming::TooLarge);
    }
    let mut bytes = Vec::new();
    message.read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 == length { Incoming::Message(bytes) } else { Incoming::End })
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a stream, one word each.
    fn words(mut stream: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            match read(&mut stream).expect("a slice has no errors") {
                Incoming::Message(bytes) => found.push(String::from_utf8_lossy(&bytes).into_owned()),
                Incoming::Headless => found.push("headless".to_owned()),
                Incoming::TooLarge => found.push("too large".to_owned()),
                Incoming::End => return found,
            }
        }
    }

    #[test]
    fn messages_are_as_long_as_their_headers_say() {
        assert_eq!(words(b"Content-Length: 2\r\n\r\n{}content-length:1\r\nX: y\r\n\r\n1"), ["{}", "1"]);
        assert_eq!(words(b"Content-Length: 5\r\n\r\n{}"), [""; 0]);
        assert_eq!(words(b""), [""; 0]);
    }

    #[test]
    fn what_has_no_length_is_passed_over() {
        assert_eq!(words(b"Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}"), ["headless", "{}"]);
        assert_eq!(words(b"Content-Length: -3\r\n\r\n\r\n\nContent-Length: 2\r\n\r\n{}"), ["headless", "{}"]);
        assert_eq!(words(&[b'x'; 10_000]), ["headless"]);
        assert_eq!(words(&b"a\n".repeat(70)), ["headless"]);
    }

    #[test]
    fn a_claim_is_no_room() {
        assert_eq!(words(b"Content-Length: 400000000000\r\n\r\n{}"), ["too large"]);
        assert_eq!(words(b"Content-Length: 99999999999999999999999\r\n\r\n{}"), ["headless"]);
    }
}
