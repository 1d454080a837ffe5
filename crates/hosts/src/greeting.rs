//! What two processes say to each other before anything else.
//!
//! ```text
//!  caller ──  GREETING, number of the caller and of the called, nonce  ──▶ called
//!  caller ◀──  nonce, proof about all of this, question  ── called
//!  caller ──  proof, question  ──▶ called
//!  caller ◀──  OK  ── called
//! ```
//!
//! A proof is about both nonces, both numbers and who says it, so that nothing that was said before or by the other can be said again. The question is a text
//! that names the version, the program and what is asked; who asks another one is told so only after it has shown that it knows the secret.

use crate::key::{Key, Proof};
use std::io::{Error, ErrorKind, Read, Result, Write};

/// Who speaks to whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) caller: u8,
    pub(crate) called: u8,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Greeted {
    /// The other one may search with us.
    Welcome(Pair),
    /// It does not know the secret, or speaks another language.
    Stranger,
    /// It asks another question: this one.
    Differs(String),
}

const GREETING: &[u8; 16] = b"getafix hosts 2\n";
const OK: u8 = 1;
const MOST_TEXT: usize = 4096;

type Nonce = [u8; 32];

fn nonce() -> Result<Nonce> {
    let mut nonce = Nonce::default();
    getrandom::fill(&mut nonce).map_err(|_| Error::other("there are no random numbers"))?;
    Ok(nonce)
}

fn read_array<const N: usize>(stream: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn write_text(stream: &mut impl Write, text: &str) -> Result<()> {
    stream.write_all(&(text.len() as u32).to_le_bytes())?;
    stream.write_all(text.as_bytes())
}

fn read_text(stream: &mut impl Read) -> Result<String> {
    let length = u32::from_le_bytes(read_array(stream)?) as usize;
    if length > MOST_TEXT {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
}

/// What a proof is about.
fn about<'t>(who: &'t [u8], pair: &'t [u8; 2], nonces: &'t [Nonce; 2], question: &'t str) -> [&'t [u8]; 6] {
    [GREETING, who, pair, &nonces[0], &nonces[1], question.as_bytes()]
}

/// Calls somebody.
pub(crate) fn call(
    stream: &mut (impl Read + Write),
    pair: Pair,
    key: &Key,
    question: &str,
) -> Result<Greeted> {
    let own = nonce()?;
    let numbers = [pair.caller, pair.called];
    stream.write_all(&[&GREETING[..], &numbers, &own].concat())?;
    let theirs: Nonce = read_array(stream)?;
    let proof: Proof = read_array(stream)?;
    let asked = read_text(stream)?;
    let nonces = [own, theirs];
    if !key.accepts(&about(b"called", &numbers, &nonces, &asked), &proof) {
        return Ok(Greeted::Stranger);
    }
    stream.write_all(&key.proof(&about(b"caller", &numbers, &nonces, question)))?;
    write_text(stream, question)?;
    if asked != question {
        return Ok(Greeted::Differs(asked));
    }
    match read_array::<1>(stream)? {
        [OK] => Ok(Greeted::Welcome(pair)),
        _ => Ok(Greeted::Stranger),
    }
}

/// Is called by somebody.
pub(crate) fn be_called(
    stream: &mut (impl Read + Write),
    own: u8,
    key: &Key,
    question: &str,
) -> Result<Greeted> {
    if &read_array::<16>(stream)? != GREETING {
        return Ok(Greeted::Stranger);
    }
    let numbers: [u8; 2] = read_array(stream)?;
    let theirs: Nonce = read_array(stream)?;
    if numbers[1] != own {
        return Ok(Greeted::Stranger);
    }
    let nonces = [theirs, nonce()?];
    stream.write_all(&nonces[1])?;
    stream.write_all(&key.proof(&about(b"called", &numbers, &nonces, question)))?;
    write_text(stream, question)?;
    // Who does not believe us hangs up.
    let (proof, asked): (Proof, String) =
        match read_array(stream).and_then(|proof| Ok((proof, read_text(stream)?))) {
            Ok(said) => said,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(Greeted::Stranger),
            Err(error) => return Err(error),
        };
    if !key.accepts(&about(b"caller", &numbers, &nonces, &asked), &proof) {
        return Ok(Greeted::Stranger);
    }
    if asked != question {
        return Ok(Greeted::Differs(asked));
    }
    stream.write_all(&[OK])?;
    Ok(Greeted::Welcome(Pair { caller: numbers[0], called: own }))
}
