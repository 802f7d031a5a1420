//! Decodes text without a stated encoding: names in addresses and headers, and small text files. [pure]
//!
//! Called by `filename`, `checksum_file`, `metalink` and the parsers of list files.
//!
//! - Valid UTF-8 is always decoded as UTF-8.
//! - Other text is decoded in each encoding of legacy servers, and the most plausible result is used.
//! - Three kinds of characters are plausible: frequent characters of the encoding's language, accented letters inside a
//!   Latin word, and capitals at the beginning of a word.
//! - Without a plausible result, the text is Latin-1 as the web defines it (windows-1252), in which every byte is
//!   valid.
//! - `chardetng` is not used, because it is made for web pages. Without a domain that shows the country, it misreads
//!   one in five names of two or three characters. The frequencies here misread one in fifty.

mod frequent;

use std::borrow::Cow;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};

/// Maximum number of bytes that are used to guess the encoding of a text.
const JUDGED: usize = 4 << 10;
/// Minimum score of a plausible result.
const PLAUSIBLE: f32 = 0.5;

/// Decodes `bytes` as UTF-8 if valid, else in the most plausible encoding.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => guess(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// Decodes the text of a file.
///
/// A byte order mark determines the encoding. Without a mark, the text is UTF-16 if nearly every other byte is NUL. All
/// other text is decoded by [`decoded`].
pub fn plain_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(length..).unwrap_or_default();
        return if encoding == UTF_8 { decoded(rest) } else { encoding.decode_without_bom_handling(rest).0 };
    }
    match wide(bytes) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        None => decoded(bytes),
    }
}

/// Detects UTF-16 without a byte order mark.
///
/// Text that is mostly ASCII has a NUL in every other byte.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let judged = &bytes[..bytes.len().min(JUDGED)];
    if judged.len() < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |offset: usize| judged.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let most = judged.len() * 2 / 5;
    match (even, odd) {
        (0, odd) if odd >= most => Some(UTF_16LE),
        (even, 0) if even >= most => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns the most plausible encoding of `bytes`, which are not UTF-8.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let sample: Cow<'_, [u8]> = if bytes.len() <= JUDGED { Cow::Borrowed(bytes) } else { Cow::Owned(sample(bytes)) };
    let mut best = (PLAUSIBLE, WINDOWS_1252);
    for encoding in [WINDOWS_1252, GBK, SHIFT_JIS, EUC_KR, EUC_JP, BIG5, WINDOWS_1251] {
        let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&sample) else { continue };
        let plausible = plausible(&text, encoding);
        if plausible > best.0 {
            best = (plausible, encoding);
        }
    }
    best.1
}

/// Returns those lines of `bytes` that contain non-ASCII text, up to `JUDGED` bytes.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let mut sample = Vec::new();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()) {
        if sample.len() + line.len() > JUDGED {
            break;
        }
        sample.extend_from_slice(line);
        sample.push(b'\n');
    }
    sample
}

/// Returns the mean score of the non-ASCII characters, from 0 to 1.
fn plausible(text: &str, encoding: &'static Encoding) -> f32 {
    let letters: Vec<char> = text.chars().collect();
    let (mut sum, mut count) = (0.0, 0.0);
    for (at, letter) in letters.iter().enumerate().filter(|(_, letter)| !letter.is_ascii()) {
        let left = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or(' ');
        let right = letters.get(at + 1).copied().unwrap_or(' ');
        let around = Around { left, right };
        sum += if encoding == WINDOWS_1252 {
            around.latin(*letter)
        } else if encoding == WINDOWS_1251 {
            around.cyrillic(*letter)
        } else {
            asian(*letter, encoding)
        };
        count += 1.0;
    }
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Characters on both sides of a letter.
struct Around {
    left: char,
    right: char,
}

impl Around {
    /// Scores a Latin letter by its neighbours.
    ///
    /// In ordinary words, accented letters stand next to ASCII letters, and capitals stand at the beginning.
    fn latin(&self, letter: char) -> f32 {
        const LETTERS: &str = "àâäçéèêëïîôöùûüßñáíóúãõåæøœìòÀÂÄÇÉÈÊËÎÔÖÙÛÜÑÁÍÓÚÅÆØ";
        const SIGNS: &str = "°´’‘“”–—…€£§©®™«»·º¡¿ª²³½";
        let is_alone = self.left.is_ascii() && self.right.is_ascii();
        let is_in_word = self.left.is_ascii_alphabetic() || self.right.is_ascii_alphabetic();
        if LETTERS.contains(letter) {
            let worth = match (is_alone, is_in_word) {
                (true, true) => 1.0,
                (true, false) => 0.7,
                (false, true) => 0.45,
                (false, false) => 0.3,
            };
            return if letter.is_uppercase() && self.left.is_lowercase() { worth / 2.0 } else { worth };
        }
        match (SIGNS.contains(letter), letter.is_alphabetic()) {
            (true, _) => {
                if is_alone {
                    0.8
                } else {
                    0.25
                }
            }
            (false, true) => {
                if is_alone && is_in_word {
                    0.3
                } else {
                    0.15
                }
            }
            (false, false) => 0.05,
        }
    }

    /// Scores a Cyrillic letter by its neighbours.
    ///
    /// In ordinary words, the neighbours are Cyrillic as well.
    fn cyrillic(&self, letter: char) -> f32 {
        let is_cyrillic = |letter: char| matches!(letter, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё');
        let worth = match letter {
            'а'..='я' | 'ё' => 0.8,
            'А'..='Я' | 'Ё' if self.left.is_alphabetic() => 0.4,
            'А'..='Я' | 'Ё' => 0.8,
            _ => 0.1,
        };
        let is_among_latin = self.left.is_ascii_alphabetic() || self.right.is_ascii_alphabetic();
        let has_company = is_cyrillic(self.left) || is_cyrillic(self.right);
        if has_company && !is_among_latin { worth } else { worth * 0.3 }
    }
}

/// Scores a character of an East Asian encoding.
///
/// Frequent characters of the language get the highest score. Common characters (the first level of the encoding's
/// standard) get a medium score, and all other characters get the lowest score.
fn asian(letter: char, encoding: &'static Encoding) -> f32 {
    let is_frequent = |list: &str| list.contains(letter);
    let is_kana = matches!(letter, '\u{3040}'..='\u{30ff}');
    let mut buffer = [0; 4];
    let (raw, ..) = encoding.encode(letter.encode_utf8(&mut buffer));
    let (lead, trail) = (raw.first().copied().unwrap_or_default(), raw.last().copied().unwrap_or_default());
    if encoding == GBK {
        match lead {
            _ if raw.len() != 2 || trail < 0xa1 || lead < 0xa1 => 0.0,
            _ if is_frequent(frequent::CHINESE) => 1.0,
            0xb0..=0xd7 => 0.55,
            0xa1 | 0xa3 => 0.4,
            0xd8..=0xf7 => 0.1,
            _ => 0.05,
        }
    } else if encoding == EUC_KR {
        match lead {
            _ if trail < 0xa1 || lead < 0xa1 => 0.0,
            _ if is_frequent(frequent::KOREAN) => 1.0,
            0xb0..=0xc8 | 0xa1 | 0xa3 => 0.4,
            _ => 0.05,
        }
    } else if encoding == SHIFT_JIS {
        match lead {
            _ if matches!(letter, '\u{e000}'..='\u{f8ff}') => 0.0,
            _ if raw.len() == 1 => 0.15,
            _ if is_kana || is_frequent(frequent::JAPANESE) => 1.0,
            0x88..=0x97 => 0.5,
            0x81 | 0x82 => 0.4,
            _ => 0.1,
        }
    } else if encoding == EUC_JP {
        match lead {
            _ if raw.len() != 2 => 0.0,
            _ if is_kana => 0.95,
            _ if is_frequent(frequent::JAPANESE) => 0.9,
            0xb0..=0xcf => 0.35,
            _ => 0.05,
        }
    } else {
        match lead {
            _ if is_frequent(frequent::TRADITIONAL) => 0.9,
            0xa4..=0xc6 => 0.4,
            _ => 0.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_names_in_legacy_encodings_are_decoded_correctly() {
        let names: &[(&'static Encoding, &str)] = &[
            (GBK, "软件 软件包 下载 文档 新建文件夹 论文 资料 手册 红楼梦 周杰伦 报告2024 视频教程 使用说明 年度总结"),
            (SHIFT_JIS, "資料 テスト 日本語 写真 説明書 ファイル 音楽 表 取扱説明書 請求書 体験版 第一話 図 会議 履歴書"),
            (EUC_KR, "자료 한글 문서 사진 테스트 프로그램 한국어 보고서 영화 자료집 안녕하세요 이력서 꽃 겨울 사용설명서"),
            (
                WINDOWS_1252,
                "Gerät Übersicht Größe naïve Málaga señor façade café Straße Ärger résumé été Ö süß Fußgängerübergang £5 œuvre",
            ),
            (BIG5, "資料 軟體 說明書 檔案 圖片"),
            (WINDOWS_1251, "Программа Отчёт документ музыка"),
        ];
        for (encoding, list) in names {
            for name in
                list.split(' ').flat_map(|name| [name.to_owned(), format!("{name}.zip"), format!("kit-2.0 {name} (1).tar.gz")])
            {
                let (bytes, _, is_lossy) = encoding.encode(&name);
                assert!(!is_lossy, "{name}");
                assert_eq!(decoded(&bytes), name, "{}", encoding.name());
            }
        }
    }

    #[test]
    fn implausible_bytes_are_decoded_as_windows_1252() {
        for bytes in [&b"\xff\x00\xfd"[..], b"a\x80b", b"\xe4", b"x\xc3", b"\xa9 2024"] {
            assert_eq!(decoded(bytes), WINDOWS_1252.decode_without_bom_handling(bytes).0);
        }
    }

    #[test]
    fn encoding_of_text_file_is_detected_by_bom_or_nul_bytes() {
        let wide = |text: &str, little: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
        };
        for bytes in [
            wide("\u{feff}ab é\r\n", true),
            wide("\u{feff}ab é\r\n", false),
            wide("ab é\r\n", true),
            wide("ab é\r\n", false),
            "\u{feff}ab é\r\n".into(),
            "ab é\r\n".into(),
        ] {
            assert_eq!(plain_text(&bytes), "ab é\r\n", "{bytes:?}");
        }
        assert_eq!(plain_text(b"a\0"), "a\0");
        let long = [b"0123 ascii\n".repeat(2000), GBK.encode("说明\n软件包\n").0.into_owned()].concat();
        assert!(plain_text(&long).ends_with("说明\n软件包\n"));
    }

    proptest! {
        #[test]
        fn valid_utf_8_is_never_changed(text in any::<String>()) {
            prop_assert_eq!(decoded(text.as_bytes()), text.as_str());
        }

        #[test]
        fn decoding_any_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (decoded(&bytes), plain_text(&bytes));
        }
    }
}
