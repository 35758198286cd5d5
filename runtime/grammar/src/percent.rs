//! Percent-encoding, done and undone.

use std::fmt::Write;

/// The characters that tell parts of a URI apart (RFC 3986), which `{+v}` leaves as they are.
pub const RESERVED: &str = ":/?#[]@!$&'()*+,;=";

/// Writes a text so that it can stand in a URI: all but unreserved characters and those in `kept` are encoded.
pub fn encode(text: &str, kept: &str, out: &mut String) {
    for character in text.chars() {
        let plain = character.is_ascii_alphanumeric() || "-._~".contains(character);
        if plain || kept.contains(character) {
            out.push(character);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            write!(out, "%{byte:02X}").expect("a String takes any text");
        }
    }
}

/// The bytes of a text with percent-encoded parts. Malformed escapes stay as they are.
pub fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.filter(|it| it.iter().all(u8::is_ascii_hexdigit));
        let code = code.and_then(|it| std::str::from_utf8(it).ok());
        if let Some(byte) = code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    bytes
}

/// The text, with what is no UTF-8 replaced.
pub fn lossy(encoded: &str) -> String {
    String::from_utf8_lossy(&decoded(encoded)).into_owned()
}

/// The text, or `None` where the bytes are no UTF-8.
pub fn text(encoded: &str) -> Option<String> {
    String::from_utf8(decoded(encoded)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_and_what_is_none_stays() {
        for (encoded, expected) in [
            ("a%20b", Some("a b")),
            ("%C3%A9%2f", Some("é/")),
            ("100%", Some("100%")),
            ("%+1%zz%4", Some("%+1%zz%4")),
            ("%ff", None),
        ] {
            assert_eq!(text(encoded).as_deref(), expected, "{encoded}");
        }
    }
}
