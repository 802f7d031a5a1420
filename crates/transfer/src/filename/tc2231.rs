//! Runs the public test cases for `Content-Disposition` (greenbytes, tc2231), by their ids.
//!
//! - For a valid header (RFC 6266), the expected name is the name of the test case after sanitising: `"` and `?` become
//!   `_`, and folders are removed.
//! - There are three exceptions: raw UTF-8 is decoded as UTF-8, single quotes count as quotes, and a completely encoded
//!   name is decoded (`encoded_words`).
//! - The test cases expect that a parser ignores a malformed header. This parser is more lenient: it uses the name that
//!   a person would see in the header.

use url::Url;

use crate::filename::{fuzz, name::choose};

/// Last segment of the address. It becomes the name if a header contains no name.
const OF_URL: &str = "from-url.bin";

/// Headers that follow the grammar.
const SOUND: [(&str, &[u8], &str); 47] = [
    ("inlonly", b"inline", OF_URL),
    ("inlwithasciifilename", b"inline; filename=\"foo.html\"", "foo.html"),
    ("inlwithfnattach", b"inline; filename=\"Not an attachment!\"", "Not an attachment!"),
    ("inlwithasciifilenamepdf", b"inline; filename=\"foo.pdf\"", "foo.pdf"),
    ("attonly", b"attachment", OF_URL),
    ("attonly403", b"attachment", OF_URL),
    ("attonlyucase", b"ATTACHMENT", OF_URL),
    ("attwithasciifilename", b"attachment; filename=\"foo.html\"", "foo.html"),
    ("attwithasciifilename25", b"attachment; filename=\"0000000000111111111122222\"", "0000000000111111111122222"),
    (
        "attwithasciifilename35",
        b"attachment; filename=\"00000000001111111111222222222233333\"",
        "00000000001111111111222222222233333",
    ),
    ("attwithasciifnescapedchar", b"attachment; filename=\"f\\oo.html\"", "foo.html"),
    ("attwithasciifnescapedquote", b"attachment; filename=\"\\\"quoting\\\" tested.html\"", "_quoting_ tested.html"),
    ("attwithquotedsemicolon", b"attachment; filename=\"Here's a semicolon;.html\"", "Here's a semicolon;.html"),
    ("attwithfilenameandextparam", b"attachment; foo=\"bar\"; filename=\"foo.html\"", "foo.html"),
    ("attwithfilenameandextparamescaped", b"attachment; foo=\"\\\"\\\\\";filename=\"foo.html\"", "foo.html"),
    ("attwithasciifilenameucase", b"attachment; FILENAME=\"foo.html\"", "foo.html"),
    ("attwithasciifilenamenq", b"attachment; filename=foo.html", "foo.html"),
    ("attwithfntokensq", b"attachment; filename='foo.bar'", "foo.bar"),
    ("attwithisofnplain", b"attachment; filename=\"foo-\xe4.html\"", "foo-\u{e4}.html"),
    // The test case expects Latin-1, but servers that send these bytes mean UTF-8.
    ("attwithutf8fnplain", b"attachment; filename=\"foo-\xc3\xa4.html\"", "foo-\u{e4}.html"),
    ("attwithfnrawpctenca", b"attachment; filename=\"foo-%41.html\"", "foo-%41.html"),
    ("attwithfnusingpct", b"attachment; filename=\"50%.html\"", "50%.html"),
    ("attwithfnrawpctencaq", b"attachment; filename=\"foo-%\\41.html\"", "foo-%41.html"),
    ("attwithnamepct", b"attachment; name=\"foo-%41.html\"", OF_URL),
    ("attwithfilenamepctandiso", b"attachment; filename=\"\xe4-%41.html\"", "\u{e4}-%41.html"),
    ("attwithfnrawpctenclong", b"attachment; filename=\"foo-%c3%a4-%e2%82%ac.html\"", "foo-\u{e4}-\u{20ac}.html"),
    ("attwithasciifilenamews1", b"attachment; filename =\"foo.html\"", "foo.html"),
    ("attconfusedparam", b"attachment; xfilename=foo.html", OF_URL),
    ("attabspath", b"attachment; filename=\"/foo.html\"", "foo.html"),
    ("attabspathwin", b"attachment; filename=\"\\\\foo.html\"", "foo.html"),
    ("attcdate", b"attachment; creation-date=\"Wed, 12 Feb 1997 16:29:51 -0500\"", OF_URL),
    ("attmdate", b"attachment; modification-date=\"Wed, 12 Feb 1997 16:29:51 -0500\"", OF_URL),
    ("dispext", b"foobar", OF_URL),
    ("dispextbadfn", b"attachment; example=\"filename=example.txt\"", OF_URL),
    ("attwithisofn2231iso", b"attachment; filename*=iso-8859-1''foo-%E4.html", "foo-\u{e4}.html"),
    ("attwithfn2231utf8", b"attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "foo-\u{e4}-\u{20ac}.html"),
    ("attwithfn2231utf8comp", b"attachment; filename*=UTF-8''foo-a%cc%88.html", "foo-\u{e4}.html"),
    ("attwithfn2231ws2", b"attachment; filename*= UTF-8''foo-%c3%a4.html", "foo-\u{e4}.html"),
    ("attwithfn2231ws3", b"attachment; filename* =UTF-8''foo-%c3%a4.html", "foo-\u{e4}.html"),
    ("attwithfn2231dpct", b"attachment; filename*=UTF-8''A-%2541.html", "A-%41.html"),
    ("attwithfn2231abspathdisguised", b"attachment; filename*=UTF-8''%5cfoo.html", "foo.html"),
    ("attfnboth", b"attachment; filename=\"foo-ae.html\"; filename*=UTF-8''foo-%c3%a4.html", "foo-\u{e4}.html"),
    ("attfnboth2", b"attachment; filename*=UTF-8''foo-%c3%a4.html; filename=\"foo-ae.html\"", "foo-\u{e4}.html"),
    (
        "attfnboth3",
        b"attachment; filename*0*=ISO-8859-15''euro-sign%3d%a4; filename*=ISO-8859-1''currency-sign%3d%a4",
        "currency-sign=\u{a4}",
    ),
    ("attnewandfn", b"attachment; foobar=x; filename=\"foo.html\"", "foo.html"),
    ("attrfc2047quoted", b"attachment; filename=\"=?ISO-8859-1?Q?foo-=E4.html?=\"", "foo-\u{e4}.html"),
    // Both headers are valid, but contain no name: continuations exist only in RFC 2231.
    ("attfncont", b"attachment; filename*0=\"foo.\"; filename*1=\"html\"", OF_URL),
];

/// Headers with continuations. A recipient may ignore the continuations.
const CONTINUED: [(&str, &[u8]); 6] = [
    ("attfncontqs", b"attachment; filename*0=\"foo\"; filename*1=\"\\b\\a\\r.html\""),
    ("attfncontenc", b"attachment; filename*0*=UTF-8''foo-%c3%a4; filename*1=\".html\""),
    ("attfncontlz", b"attachment; filename*0=\"foo\"; filename*01=\"bar\""),
    ("attfncontnc", b"attachment; filename*0=\"foo\"; filename*2=\"bar\""),
    ("attfnconts1", b"attachment; filename*1=\"foo.\"; filename*2=\"html\""),
    ("attfncontord", b"attachment; filename*1=\"bar\"; filename*0=\"foo\""),
];

/// Malformed headers.
const BROKEN: [(&str, &[u8], &str); 41] = [
    ("inlonlyquoted", b"\"inline\"", OF_URL),
    ("attonlyquoted", b"\"attachment\"", OF_URL),
    ("attwithtokfncommanq", b"attachment; filename=foo,bar.html", "foo,bar.html"),
    ("attwithasciifilenamenqs", b"attachment; filename=foo.html ;", "foo.html"),
    ("attemptyparam", b"attachment; ;filename=foo", "foo"),
    ("attwithasciifilenamenqws", b"attachment; filename=foo bar.html", "foo bar.html"),
    ("attwith2filenames", b"attachment; filename=\"foo.html\"; filename=\"bar.html\"", "foo.html"),
    ("attfnbrokentoken", b"attachment; filename=foo[1](2).html", "foo[1](2).html"),
    ("attfnbrokentokeniso", b"attachment; filename=foo-\xe4.html", "foo-\u{e4}.html"),
    ("attfnbrokentokenutf", b"attachment; filename=foo-\xc3\xa4.html", "foo-\u{e4}.html"),
    ("attmissingdisposition", b"filename=foo.html", "foo.html"),
    ("attmissingdisposition2", b"x=y; filename=foo.html", "foo.html"),
    ("attmissingdisposition3", b"\"foo; filename=bar;baz\"; filename=qux", "qux"),
    ("attmissingdisposition4", b"filename=foo.html, filename=bar.html", "foo.html"),
    ("emptydisposition", b"; filename=foo.html", "foo.html"),
    ("doublecolon", b": inline; attachment; filename=foo.html", "foo.html"),
    ("attandinline", b"inline; attachment; filename=foo.html", "foo.html"),
    ("attandinline2", b"attachment; inline; filename=foo.html", "foo.html"),
    ("attbrokenquotedfn", b"attachment; filename=\"foo.html\".txt", "foo.html"),
    ("attbrokenquotedfn2", b"attachment; filename=\"bar", "bar"),
    ("attbrokenquotedfn3", b"attachment; filename=foo\"bar;baz\"qux", "foo_bar"),
    ("attmultinstances", b"attachment; filename=foo.html, attachment; filename=bar.html", "foo.html"),
    ("attmissingdelim", b"attachment; foo=foo filename=bar", OF_URL),
    ("attmissingdelim2", b"attachment; filename=bar foo=foo", "bar foo=foo"),
    ("attmissingdelim3", b"attachment filename=bar", "bar"),
    ("attreversed", b"filename=foo.html; attachment", "foo.html"),
    ("attwithfn2231noc", b"attachment; filename*=''foo-%c3%a4-%e2%82%ac.html", "foo-\u{e4}-\u{20ac}.html"),
    ("attwithfn2231utf8-bad", b"attachment; filename*=iso-8859-1''foo-%c3%a4-%e2%82%ac.html", "foo-\u{e4}-\u{20ac}.html"),
    ("attwithfn2231iso-bad", b"attachment; filename*=utf-8''foo-%E4.html", "foo-\u{e4}.html"),
    ("attwithfn2231ws1", b"attachment; filename *=UTF-8''foo-%c3%a4.html", "foo-\u{e4}.html"),
    ("attwithfn2231quot", b"attachment; filename*=\"UTF-8''foo-%c3%a4.html\"", "foo-\u{e4}.html"),
    ("attwithfn2231quot2", b"attachment; filename*=\"foo%20bar.html\"", "foo bar.html"),
    ("attwithfn2231singleqmissing", b"attachment; filename*=UTF-8'foo-%c3%a4.html", "foo-\u{e4}.html"),
    ("attwithfn2231nbadpct1", b"attachment; filename*=UTF-8''foo%", "foo%"),
    ("attwithfn2231nbadpct2", b"attachment; filename*=UTF-8''f%oo.html", "f%oo.html"),
    ("attrfc2047token", b"attachment; filename==?ISO-8859-1?Q?foo-=E4.html?=", "foo-\u{e4}.html"),
    // Headers with one malformed and one valid parameter. The valid parameter is used.
    ("attwithfn2231iso-bad, both", b"attachment; filename*=utf-8''foo-%E4.html; filename=plain.html", "plain.html"),
    ("attwithfn2231nbadpct1, both", b"attachment; filename=plain.html; filename*=UTF-8''foo%", "plain.html"),
    ("attwithfn2231quot2, both", b"attachment; filename*=\"foo%20bar.html\"; filename=plain.html", "plain.html"),
    ("attfncont, both", b"attachment; filename*0=\"foo.\"; filename=\"plain.html\"", "plain.html"),
    ("attmissingdelim3, both", b"attachment filename=bar; filename=plain.html", "bar"),
];

fn named(header: &[u8]) -> String {
    let url = Url::parse("http://a.test/d/from-url.bin").unwrap();
    choose(None, Some(header), &url, None)
}

#[test]
fn valid_disposition_header_gives_expected_file_name() {
    for (id, header, name) in SOUND {
        assert_eq!(named(header), name, "{id}");
    }
}

#[test]
fn continuations_of_rfc_2231_are_ignored() {
    for (id, header) in CONTINUED {
        assert_eq!(named(header), OF_URL, "{id}");
    }
}

#[test]
fn broken_disposition_header_still_gives_expected_file_name() {
    for (id, header, name) in BROKEN {
        assert_eq!(named(header), name, "{id}");
    }
}

#[test]
fn strict_parser_finds_same_name_in_every_accepted_test_case() {
    let all = SOUND.iter().chain(&BROKEN).map(|(id, header, _)| (*id, *header)).chain(CONTINUED);
    let compared = all.filter(|(id, header)| fuzz::agrees(header).unwrap_or_else(|ours| panic!("{id}: {ours}")));
    assert!(compared.count() > 40);
}
