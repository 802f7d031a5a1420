//! Tests Metalink documents of both versions, from generators and from attackers.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::integrity::metalink::*;

/// Based on the example in RFC 5854, section 1.1.
const EXAMPLE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<metalink xmlns="urn:ietf:params:xml:ns:metalink">
  <published>2009-05-15T12:23:23Z</published>
  <file name="example.ext">
    <size>14471447</size>
    <identity>Example</identity>
    <version>1.0</version>
    <language>en</language>
    <description>A description of the example file for download.</description>
    <hash type="sha-256">f0ad929cd259957e160ea442eb80986b5f01c4c19a2d2f8ca1c7f8f7a1f0c6f0</hash>
    <hash type="sha-384">00</hash>
    <url location="de" priority="2">ftp://ftp.example.com/example.ext</url>
    <url location="de" priority="9">http://far.example.com/example.ext</url>
    <url location="fr" priority="1">http://example.com/example.ext#part</url>
    <metaurl mediatype="torrent" priority="2">http://example.com/example.ext.torrent</metaurl>
  </file>
</metalink>"#;

const ROOT: &str = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">";

fn parsed(inside: &str) -> Result<Metalink, NotAMetalink> {
    read(format!("{ROOT}{inside}</metalink>").as_bytes())
}

fn file(inside: &str) -> Result<MetalinkFile, NotAMetalink> {
    let found = parsed(&format!("<file name=\"a\"><url>http://a.test/a</url>{inside}</file>"))?;
    Ok(found.files.into_iter().next().unwrap())
}

fn strings(urls: &[Url]) -> Vec<&str> {
    urls.iter().map(Url::as_str).collect()
}

#[test]
fn example_of_rfc_5854_is_parsed() {
    let found = read(EXAMPLE.as_bytes()).unwrap();
    assert_eq!(found.title.as_deref(), Some("Example 1.0"));
    let [file] = found.files.as_slice() else { panic!("one file") };
    assert_eq!((file.name.as_str(), file.size, file.pieces.as_ref()), ("example.ext", Some(14_471_447), None));
    assert_eq!(strings(&file.addresses), ["http://example.com/example.ext", "http://far.example.com/example.ext"]);
    let digests: Vec<_> = file.digests.iter().map(ToString::to_string).collect();
    assert_eq!(digests, ["sha-256=f0ad929cd259957e160ea442eb80986b5f01c4c19a2d2f8ca1c7f8f7a1f0c6f0"]);
}

#[test]
fn metalink_version_3_is_parsed_with_its_preferences() {
    let text = format!(
        r#"<metalink version="3.0" xmlns="http://www.metalinker.org/" generator="x"><identity>Office</identity>
        <version>2</version><files><file name="office.tar.gz"><size>5</size><verification><hash type="md5">{md5}</hash>
        <hash type="sha1">{sha}</hash><hash type="pgp">x</hash><pieces length="4" type="sha1"><hash piece="0">{sha}</hash>
        <hash piece="1">{sha}</hash></pieces></verification><resources maxconnections="2">
        <url type="bittorrent" preference="100">http://a.test/office.torrent</url>
        <url type="http" preference="10">http://b.test/office</url>
        <url type="http" preference="90">http://c.test/office</url></resources></file></files></metalink>"#,
        md5 = "0".repeat(32),
        sha = "1".repeat(40),
    );
    let found = read(text.as_bytes()).unwrap();
    assert_eq!(found.title.as_deref(), Some("Office 2"));
    let file = &found.files[0];
    assert_eq!(strings(&file.addresses), ["http://c.test/office", "http://b.test/office"]);
    assert_eq!(
        file.digests.iter().map(|digest| digest.algorithm).collect::<Vec<_>>(),
        [DigestAlgorithm::Sha1, DigestAlgorithm::Md5]
    );
    let pieces = file.pieces.as_ref().unwrap();
    assert_eq!((pieces.algorithm, pieces.length, pieces.digests.len()), (DigestAlgorithm::Sha1, 4, 2));
}

#[test]
fn strongest_piece_digests_are_used_and_wrong_number_of_digests_is_refused() {
    let hashes = |count: usize, digits: usize| format!("<hash>{}</hash>", "a".repeat(digits)).repeat(count);
    let weak = format!("<pieces length=\"10\" type=\"sha-1\">{}</pieces>", hashes(3, 40));
    let strong = format!("<pieces length=\"25\" type=\"sha-256\">{}</pieces>", hashes(1, 64));
    let unknown = "<pieces length=\"1\" type=\"tiger\"><hash>zz</hash></pieces>";
    for inside in [format!("<size>25</size>{weak}{strong}{unknown}"), format!("{unknown}{strong}{weak}<size>25</size>")] {
        let pieces = file(&inside).unwrap().pieces.unwrap();
        assert_eq!((pieces.algorithm, pieces.length, pieces.digests.len()), (DigestAlgorithm::Sha256, 25, 1));
    }
    assert_eq!(file(unknown).unwrap().pieces, None);
    for size in [0, 20, 31] {
        let refused = file(&format!("<size>{size}</size>{weak}")).unwrap_err();
        assert!(matches!(refused, NotAMetalink::Contradiction { .. }), "{size}: {refused:?}");
    }
    assert!(file(&format!("<size>21</size>{weak}")).is_ok() && file(&format!("<size>30</size>{weak}")).is_ok());
}

#[test]
fn error_for_contradictory_file_contains_file_name() {
    let sha = "a".repeat(64);
    let other = "b".repeat(64);
    for inside in [
        "<size>many</size>".to_owned(),
        "<size>-1</size>".to_owned(),
        "<hash type=\"sha-256\">abcd</hash>".to_owned(),
        format!("<hash type=\"sha-256\">{sha}</hash><hash type=\"sha-256\">{other}</hash>"),
        "<pieces type=\"sha-1\"></pieces>".to_owned(),
        "<pieces type=\"sha-1\" length=\"0\"/>".to_owned(),
        "<pieces type=\"sha-1\" length=\"9\"/>".to_owned(),
        "<pieces type=\"sha-1\" length=\"9\"><hash>abcd</hash></pieces>".to_owned(),
    ] {
        let refused = file(&inside).unwrap_err();
        assert!(matches!(&refused, NotAMetalink::Contradiction { name, .. } if name == "a"), "{inside}: {refused:?}");
    }
}

#[test]
fn file_name_is_made_safe_and_folder_is_removed() {
    for (name, expected) in [
        ("a.iso", "a.iso"),
        ("sub/a.iso", "a.iso"),
        ("../../etc/passwd", "passwd"),
        ("..", "in-the-link"),
        ("", "in-the-link"),
        ("sub/", "in-the-link"),
        ("C:\\a.iso", "a.iso"),
        ("&#x202e;gpj.exe", "gpj.exe"),
        ("a&amp;b &lt;1&gt;", "a&b _1_"),
        (".bashrc", "bashrc"),
    ] {
        let text = format!("<file name=\"{name}\"><url>http://a.test/in-the-link</url></file>");
        assert_eq!(parsed(&text).unwrap().files[0].name, expected, "{name}");
    }
}

#[test]
fn unfetchable_urls_are_dropped_and_file_without_url_is_refused() {
    let with = |url: &str| parsed(&format!("<file name=\"a\"><url>{url}</url></file>"));
    for url in ["ftp://a.test/a", "a", "", "http://a:b@a.test/", "http://a.test:25/", "magnet:?xt=1", "http://"] {
        assert_eq!(with(url).unwrap_err(), NotAMetalink::NoAddress("a".to_owned()), "{url}");
    }
    assert_eq!(parsed("").unwrap_err(), NotAMetalink::Empty);
    let many: String = (0..MOST_LOOKED_AT + 10).map(|number| format!("<url>http://a.test/{number}</url>")).collect();
    let found = parsed(&format!("<file name=\"a\">{many}</file>")).unwrap();
    assert_eq!(found.files[0].addresses.len(), MOST_ADDRESSES);
    assert_eq!(found.files[0].addresses[0].as_str(), "http://a.test/0");
}

#[test]
fn files_with_different_titles_have_no_common_title() {
    let one = |title: &str| format!("<file name=\"a\"><identity>{title}</identity><url>http://a.test/a</url></file>");
    assert_eq!(parsed(&(one("A") + &one("A"))).unwrap().title.as_deref(), Some("A"));
    assert_eq!(parsed(&(one("A") + &one("B"))).unwrap().title, None);
    assert_eq!(parsed(&one(" \n ")).unwrap().title, None);
}

#[test]
fn cdata_and_references_and_namespaces_follow_xml_rules() {
    let text = r#"<x:metalink xmlns:x="urn:ietf:params:xml:ns:metalink" xmlns:y="urn:y"><x:file name="a">
        <y:url>http://wrong.test/</y:url><y:more><x:url>http://wrong.test/</x:url></y:more>
        <x:url><![CDATA[http://a.test/?a=1&b]]>&amp;c<!-- no -->&#x41;</x:url></x:file></x:metalink>"#;
    let found = read(text.as_bytes()).unwrap();
    assert_eq!(strings(&found.files[0].addresses), ["http://a.test/?a=1&b&cA"]);
}

#[test]
fn invalid_metalink_is_refused_and_fault_is_named() {
    let unreadable = |text: &str| matches!(read(text.as_bytes()), Err(NotAMetalink::Unreadable(_)));
    for text in ["", "hello", "<metalink", "&lt;", ROOT, &format!("{ROOT}</b>")] {
        let refused = read(text.as_bytes()).unwrap_err();
        assert!(unreadable(text), "{text}: {refused:?}");
        // The parser's text is used as a clause of a longer sentence.
        let NotAMetalink::Unreadable(MetalinkSyntaxFault::Xml(words)) = refused else { continue };
        assert!(!words.is_empty() && !words.ends_with('.'), "{words}");
    }
    for text in ["<html></html>", "<x:html xmlns:x=\"urn:ietf:params:xml:ns:metalink\"/>", "<metalink xmlns=\"urn:x\"/>"] {
        assert_eq!(read(text.as_bytes()), Err(NotAMetalink::Foreign), "{text}");
    }
    assert!(matches!(read(&[0xff, 0xfe, 0x00]), Err(NotAMetalink::Unreadable(_))));
}

#[test]
fn old_or_missing_namespaces_are_accepted() {
    let three = |root: &str| {
        format!(
            "<?xml version='1.0'?><{root}><files><file name='a'><resources><url type='http' preference='10'>http://b.test/a</url>\
             <url type='http' preference='90'>http://a.test/a</url></resources></file></files></metalink>"
        )
    };
    for root in [
        "metalink version='3.0' xmlns='http://www.metalinker.org/'",
        "metalink version='3.0' xmlns='http://www.metalinker.org'",
        "metalink version='3.0' xmlns='http://metalinker.org/'",
        "metalink version='3.0' xmlns='https://www.metalinker.org/'",
        "metalink version='3.0'",
        "metalink",
    ] {
        let found = read(three(root).as_bytes()).unwrap();
        assert_eq!(strings(&found.files[0].addresses), ["http://a.test/a", "http://b.test/a"], "{root}");
    }
    for root in ["<metalink>", "<metalink xmlns='URN:ietf:params:xml:ns:metalink'>"] {
        let text = format!(
            "{root}<file name='a'><url priority='2'>http://b.test/a</url><url priority='1'>http://a.test/a</url></file></metalink>"
        );
        assert_eq!(strings(&read(text.as_bytes()).unwrap().files[0].addresses), ["http://a.test/a", "http://b.test/a"], "{root}");
    }
}

#[test]
fn metalink_is_decoded_from_its_declared_encoding() {
    let with = |encoding: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?>{ROOT}<file name=\"Ger\u{e4}t\"><url>http://a.test/a</url></file></metalink>"
        )
    };
    let wide = |text: &str, to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let latin = |text: &str| text.chars().map(|letter| letter as u8).collect::<Vec<u8>>();
    let marked = format!("\u{feff}{}", with("UTF-16"));
    for bytes in [
        with("UTF-8").into_bytes(),
        format!("\u{feff}\r\n{}", with("utf-8")).into_bytes(),
        latin(&with("ISO-8859-1")),
        latin(&with("windows-1252").replace('"', "'").replace("='urn", "=\"urn").replace("metalink'>", "metalink\">")),
        wide(&marked, u16::to_le_bytes),
        wide(&marked, u16::to_be_bytes),
        wide(&with("UTF-16"), u16::to_le_bytes),
        wide(&with("UTF-16"), u16::to_be_bytes),
    ] {
        assert_eq!(read(&bytes).unwrap().files[0].name, "Ger\u{e4}t", "{bytes:?}");
    }
    for bytes in [latin(&with("UTF-8")), latin(&with("klingon")), latin(&format!("{ROOT}\u{e4}"))] {
        assert!(matches!(read(&bytes), Err(NotAMetalink::Unreadable(_))));
    }
}

#[test]
fn document_type_that_defines_entities_is_refused() {
    let with = |kind: &str| {
        let text = format!("<?xml version=\"1.0\"?>{kind}{ROOT}<file name=\"a\"><url>http://a.test/a</url></file></metalink>");
        read(text.as_bytes())
    };
    for kind in [
        "<!DOCTYPE metalink>",
        "<!DOCTYPE metalink SYSTEM \"http://a.test/metalink.dtd\">",
        "<!doctype metalink PUBLIC \"-//X//Y\" \"x.dtd\" >",
        "<!DOCTYPE metalink [ <!ELEMENT metalink ANY> <!ATTLIST file name CDATA #REQUIRED> ]>",
        "<!DOCTYPE metalink []>",
    ] {
        assert_eq!(with(kind).unwrap().files.len(), 1, "{kind}");
    }
    for kind in [
        "<!DOCTYPE m [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE m SYSTEM \"x\" [<!ENTITY % b SYSTEM \"http://a.test/\"> %b;]>",
    ] {
        assert!(matches!(with(kind), Err(NotAMetalink::Unreadable(_))), "{kind}");
    }
}

#[test]
fn entity_bombs_and_oversized_documents_are_refused() {
    let laughs = "<!DOCTYPE m [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]><metalink>&b;</metalink>";
    assert!(matches!(read(laughs.as_bytes()), Err(NotAMetalink::Unreadable(_))));
    assert!(matches!(parsed("<file name=\"&b;\"/>"), Err(NotAMetalink::Unreadable(_))));
    assert!(matches!(file("<identity>&b;</identity>"), Err(NotAMetalink::Unreadable(_))));
    let deep = "<a>".repeat(DEEPEST + 1);
    assert!(matches!(parsed(&deep), Err(NotAMetalink::TooLarge(_))));
    let long = "x".repeat(LONGEST_TEXT + 1);
    assert!(matches!(file(&format!("<identity>{long}</identity>")), Err(NotAMetalink::TooLarge(_))));
    assert!(matches!(parsed(&format!("<file name=\"{long}\"/>")), Err(NotAMetalink::TooLarge(_))));
    let many = "<file name=\"a\"><url>http://a.test/</url></file>".repeat(MOST_FILES + 1);
    assert!(matches!(parsed(&many), Err(NotAMetalink::TooLarge(_))));
    assert!(matches!(read(&vec![b' '; LARGEST + 1]), Err(NotAMetalink::TooLarge(_))));
}

fn written(found: &Metalink) -> String {
    let mut text = ROOT.to_owned();
    for file in &found.files {
        let name = file.name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        write!(text, "<file name=\"{name}\">").unwrap();
        if let Some(size) = file.size {
            write!(text, "<size>{size}</size>").unwrap();
        }
        for digest in &file.digests {
            write!(text, "<hash type=\"{}\">{}</hash>", digest.algorithm, hex::encode(&digest.bytes)).unwrap();
        }
        if let Some(pieces) = &file.pieces {
            write!(text, "<pieces length=\"{}\" type=\"{}\">", pieces.length, pieces.algorithm).unwrap();
            for digest in &pieces.digests {
                write!(text, "<hash>{}</hash>", hex::encode(digest)).unwrap();
            }
            text.push_str("</pieces>");
        }
        for (index, url) in file.addresses.iter().enumerate().rev() {
            write!(text, "<url priority=\"{}\">{}</url>", index + 1, url.as_str().replace('&', "&amp;")).unwrap();
        }
        text.push_str("</file>");
    }
    text + "</metalink>"
}

fn any_file() -> impl Strategy<Value = MetalinkFile> {
    let digests = prop::collection::vec(any::<u8>(), 32);
    let parts = ("[a-zA-Z0-9][a-zA-Z0-9 &_]{0,20}[a-z]", 1..10_000u64, digests, 1..4u64, 1..5usize, any::<bool>());
    parts.prop_map(|(name, size, bytes, length, addresses, has_pieces)| {
        let length = size.div_ceil(length).max(1);
        let pieces = usize::try_from(size.div_ceil(length)).unwrap();
        let pieces = PieceHashes { algorithm: DigestAlgorithm::Sha256, length, digests: vec![bytes.clone(); pieces] };
        MetalinkFile {
            name,
            size: Some(size),
            digests: vec![FileDigest { algorithm: DigestAlgorithm::Sha256, bytes }],
            pieces: has_pieces.then_some(pieces),
            addresses: (0..addresses).map(|number| format!("http://m{number}.test/f?a=1&b=2").parse().unwrap()).collect(),
        }
    })
}

proptest! {
    #[test]
    fn written_metalink_is_read_back(files in prop::collection::vec(any_file(), 1..4)) {
        let found = Metalink { title: None, files };
        prop_assert_eq!(read(written(&found).as_bytes()), Ok(found));
    }

    #[test]
    fn arbitrary_bytes_parse_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn corrupted_metalink_parses_without_panic(
        spoils in prop::collection::vec((any::<prop::sample::Index>(), "[ -~]{0,3}"), 1..8),
    ) {
        let mut text = EXAMPLE.to_owned();
        for (at, put) in spoils {
            let at = at.index(text.len());
            let end = (at + 2).min(text.len());
            text.replace_range(at..end, &put);
        }
        let _ = read(text.as_bytes());
    }

    #[test]
    fn elements_in_any_order_parse_without_panic(
        inside in "(<file name=\"a\">|</file>|<size>|</size>|7|<hash type=\"md5\">|</hash>|<pieces length=\"1\" type=\"md5\">|</pieces>|<url>|</url>|&amp;|<b/>|http://a){0,14}",
    ) {
        let _ = parsed(&inside);
    }
}
