//! Converts a Metalink document to a registration. Reads only the bytes of the document.

use ashore_messages::{MessageArgument, UserMessage, message};
use ashore_transfer::metalink::{MetalinkContradiction, MetalinkFile, MetalinkLimit, MetalinkSyntaxFault, NotAMetalink, read};

use crate::model::{NewPieces, NewRegistration, NewRequest};

/// Returns a registration with the files of a Metalink (RFC 5854, or the older version 3.0).
///
/// The registration has the names, sizes, checksums, pieces, mirrors and title of the document. Its requests are in the
/// order of the document. The caller sets the owner and the folder. Fails with a message with the code `metalink`.
pub fn from_metalink(document: &[u8]) -> Result<NewRegistration, UserMessage> {
    let found = read(document).map_err(not_a_metalink)?;
    let requests = found.files.into_iter().map(request).collect();
    Ok(NewRegistration { title: found.title, requests, ..NewRegistration::default() })
}

fn not_a_metalink(error: NotAMetalink) -> UserMessage {
    match error {
        NotAMetalink::TooLarge(most) => message!("metalink.large", most = limit(most)),
        NotAMetalink::Unreadable(why) => message!("metalink.unreadable", why = syntax_fault(why)),
        NotAMetalink::Foreign => message!("metalink.foreign"),
        NotAMetalink::Empty => message!("metalink.empty"),
        NotAMetalink::NoAddress(name) => message!("metalink.no-link", name = name),
        NotAMetalink::Contradiction { name, what } => message!("metalink.contradiction", name = name, why = contradiction(what)),
    }
}

fn limit(limit: MetalinkLimit) -> UserMessage {
    match limit {
        MetalinkLimit::Bytes => message!("fault-metalink.bytes"),
        MetalinkLimit::Elements => message!("fault-metalink.elements"),
        MetalinkLimit::Files => message!("fault-metalink.files"),
        MetalinkLimit::Text => message!("fault-metalink.text"),
        MetalinkLimit::Attribute => message!("fault-metalink.attribute"),
    }
}

fn syntax_fault(fault: MetalinkSyntaxFault) -> MessageArgument {
    let message = match fault {
        // Use the error unchanged, because the XML parser reports its errors only in English.
        MetalinkSyntaxFault::Xml(words) => return words.into(),
        MetalinkSyntaxFault::Entities => message!("fault-metalink.entities"),
        MetalinkSyntaxFault::Encoding => message!("fault-metalink.encoding"),
        MetalinkSyntaxFault::NoEncoding => message!("fault-metalink.no-encoding"),
        MetalinkSyntaxFault::Empty => message!("fault-metalink.empty"),
        MetalinkSyntaxFault::End => message!("fault-metalink.end"),
    };
    message.into()
}

fn contradiction(what: MetalinkContradiction) -> UserMessage {
    match what {
        MetalinkContradiction::PieceLength => message!("fault-metalink.piece-length"),
        MetalinkContradiction::Size => message!("fault-metalink.size"),
        MetalinkContradiction::Checksum => message!("fault-metalink.checksum"),
        MetalinkContradiction::Checksums => message!("fault-metalink.checksums"),
        MetalinkContradiction::PieceChecksum => message!("fault-metalink.piece-checksum"),
        MetalinkContradiction::Pieces => message!("fault-metalink.pieces"),
    }
}

fn request(file: MetalinkFile) -> NewRequest {
    let mut addresses = file.addresses.into_iter().map(String::from);
    let mut digests = file.digests.iter().map(ToString::to_string);
    NewRequest {
        url: addresses.next().unwrap_or_default(),
        mirrors: addresses.collect(),
        name: Some(file.name),
        checksum: digests.next(),
        checksums: digests.collect(),
        size: file.size,
        pieces: file.pieces.map(|pieces| NewPieces {
            algorithm: pieces.algorithm.to_string(),
            length: pieces.length,
            digests: pieces.digests.iter().map(hex::encode).collect(),
        }),
        ..NewRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{intake::validate::accept, model::UniqueId};

    #[test]
    fn message_about_refused_metalink_is_a_full_sentence() {
        const ROOT: &str = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">";
        let long = format!("{ROOT}<file name=\"{}\"/>", "x".repeat(70_000));
        let unlike = format!("{ROOT}<file name=\"a\"><size>x</size></file></metalink>");
        for text in ["", "hello", "<metalink", "&lt;", ROOT, &format!("{ROOT}</b>"), "<html/>", &long, &unlike] {
            let refused = from_metalink(text.as_bytes()).unwrap_err().text;
            assert!(refused.ends_with('.') && !refused.contains(".."), "{refused}");
        }
    }

    #[test]
    fn message_about_refused_metalink_names_the_fault_in_each_language() {
        let refused = from_metalink(b"<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">").unwrap_err();
        assert_eq!(refused, message!("metalink.unreadable", why = message!("fault-metalink.end")));
        assert!(refused.text.contains("its end is missing"), "{refused}");
        assert!(refused.render(&ashore_messages::Catalogue::new("de")).contains("sein Ende fehlt"));
    }

    #[test]
    fn registration_from_metalink_has_all_data_of_described_file() {
        let (sha, piece) = ("a".repeat(64), "b".repeat(40));
        let document = format!(
            "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"a.iso\"><size>5</size>
             <identity>A</identity><hash type=\"md5\">{md5}</hash><hash type=\"sha-256\">{sha}</hash>
             <pieces type=\"sha-1\" length=\"3\"><hash>{piece}</hash><hash>{piece}</hash></pieces>
             <url priority=\"2\">http://b.test/a</url><url priority=\"1\">http://a.test/a</url></file></metalink>",
            md5 = "c".repeat(32),
        );
        let new = from_metalink(document.as_bytes()).unwrap();
        assert_eq!(new.title.as_deref(), Some("A"));
        let folder = tempfile::tempdir().unwrap();
        let new = NewRegistration { owner: "test".to_owned(), ..new };
        let accepted = accept(new, UniqueId(uuid::Uuid::nil()), folder.path(), 0).unwrap();
        let request = &accepted.requests[0];
        assert_eq!((request.url.as_str(), request.name.as_deref()), ("http://a.test/a", Some("a.iso")));
        assert_eq!(request.digest.as_ref().unwrap().to_string(), format!("sha-256={sha}"));
        let known = request.expectation.as_ref().unwrap();
        assert_eq!((known.size, known.digests.len(), known.mirrors.len()), (Some(5), 1, 1));
        assert_eq!(known.pieces.as_ref().unwrap().digests, vec![vec![0xbb; 20]; 2]);
    }
}
