//! From what was typed to what is asked for: links out of files, folders made absolute. Reads files, asks nobody.

use std::{
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf, absolute},
};

use ashore_engine::{NewRegistration, NewRequest};
use sha2::{Digest, Sha256};

use crate::{arguments::Wanted, problem::Problem};

/// Who asks, for every registration that is made here.
pub const OWNER: &str = "command-line";

/// The registration that `wanted` describes.
///
/// Fails with a usage problem: an input that cannot be read, or an option for one link with several.
pub fn registration(wanted: &Wanted) -> Result<NewRegistration, Problem> {
    let mut urls = wanted.urls.clone();
    if let Some(input) = &wanted.input {
        urls.extend(links(&read(input)?));
    }
    if urls.len() > 1 && (wanted.output.is_some() || wanted.checksum.is_some()) {
        return Err(Problem::usage("single", "--output and --checksum are for a single link, and there are several."));
    }
    let place = |path: &Path| made_absolute(path);
    let mut folder = place(wanted.dir.as_deref().unwrap_or(Path::new(".")))?;
    let mut name = None;
    if let Some(output) = &wanted.output {
        let (above, file) = split(output)?;
        folder = folder.join(above);
        name = Some(file);
    }
    let upload_file = wanted.upload_file.as_deref().map(place).transpose()?;
    let requests = urls.into_iter().enumerate().map(|(index, url)| NewRequest {
        url,
        method: wanted.method.clone(),
        headers: wanted.headers.clone(),
        upload_file: upload_file.clone(),
        name: name.clone(),
        checksum: wanted.checksum.clone(),
        optional: wanted.optional_from.is_some_and(|from| index >= from),
    });
    Ok(NewRegistration {
        owner: OWNER.to_owned(),
        developer_id: wanted.id.clone(),
        title: wanted.title.clone(),
        folder: Some(folder),
        paused: wanted.paused,
        requests: requests.collect(),
        ..NewRegistration::default()
    })
}

/// A name for `new` that the same command gets again: asked for a second time while it is not done, it is the same
/// download. Titles and pauses do not make another one.
pub fn own_name(new: &NewRegistration) -> Result<String, Problem> {
    let asked = serde_json::to_vec(&(&new.folder, &new.requests))?;
    Ok(format!("get-{}", hex::encode(&Sha256::digest(asked)[..16])))
}

/// The id of a download that is in the list, where that is all that was given.
pub fn existing(wanted: &Wanted) -> Option<&str> {
    match (wanted.urls.as_slice(), &wanted.input) {
        ([only], None) if is_id(only) => Some(only),
        _ => None,
    }
}

/// Whether `text` can be an id or the beginning of one: hexadecimal digits, at least 4, hyphens aside. No link is.
pub fn is_id(text: &str) -> bool {
    let digits = text.chars().filter(|letter| *letter != '-').count();
    (4..=32).contains(&digits) && text.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit())
}

fn read(input: &Path) -> Result<String, Problem> {
    let text = if input == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(input)
    };
    text.map_err(|error| Problem::usage("input", format!("The links in {} cannot be read: {error}.", input.display())))
}

fn links(text: &str) -> impl Iterator<Item = String> + '_ {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned)
}

/// Folder and name of `--output`.
fn split(output: &Path) -> Result<(PathBuf, String), Problem> {
    let is_folder = output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let name = output.file_name().filter(|_| !is_folder).and_then(|name| name.to_str());
    let name = name.ok_or_else(|| {
        Problem::usage("output", format!("{} is no file name. Use --dir to choose a folder.", output.display()))
    })?;
    Ok((output.parent().unwrap_or(Path::new("")).to_owned(), name.to_owned()))
}

fn made_absolute(path: &Path) -> Result<PathBuf, Problem> {
    let here = if path == Path::new(".") { env::current_dir() } else { absolute(path) };
    here.map_err(|error| Problem::usage("dir", format!("The folder {} cannot be used: {error}.", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(urls: &[&str]) -> Wanted {
        Wanted { urls: urls.iter().map(|&url| url.to_owned()).collect(), ..Wanted::default() }
    }

    #[test]
    fn links_are_one_a_line() {
        let text = "\u{feff}https://a/\r\n\n  # no\n\thttps://b/#part  \n#https://c/";
        assert_eq!(links(text).collect::<Vec<_>>(), ["https://a/", "https://b/#part"]);
    }

    #[test]
    fn files_go_to_the_current_folder_unless_told_otherwise() {
        let here = env::current_dir().unwrap();
        let folder = |wanted: Wanted| registration(&wanted).unwrap().folder.unwrap();
        assert_eq!(folder(urls(&["u"])), here);
        assert_eq!(folder(Wanted { dir: Some("sub".into()), ..urls(&["u"]) }), here.join("sub"));
        assert_eq!(folder(Wanted { dir: Some("/abs".into()), ..urls(&["u"]) }), Path::new("/abs"));
    }

    #[test]
    fn a_folder_before_the_name_is_taken_from_the_chosen_one_on() {
        let new = |output: &str| {
            let wanted = Wanted { dir: Some("/abs".into()), output: Some(output.into()), ..urls(&["u"]) };
            registration(&wanted).map(|new| (new.folder.unwrap(), new.requests[0].name.clone().unwrap()))
        };
        assert_eq!(new("a.iso").unwrap(), ("/abs".into(), "a.iso".to_owned()));
        assert_eq!(new("x/y/a.iso").unwrap(), ("/abs/x/y".into(), "a.iso".to_owned()));
        assert_eq!(new("/other/a.iso").unwrap(), ("/other".into(), "a.iso".to_owned()));
        for none in ["x/", "..", "/"] {
            assert_eq!(new(none).unwrap_err().code(), 2, "{none}");
        }
    }

    #[test]
    fn options_for_one_link_are_refused_with_several() {
        let named = Wanted { output: Some("a".into()), ..urls(&["u", "v"]) };
        assert_eq!(registration(&named).unwrap_err().code(), 2);
        let checked = Wanted { checksum: Some("sha-256=00".into()), ..urls(&["u", "v"]) };
        assert_eq!(registration(&checked).unwrap_err().code(), 2);
    }

    #[test]
    fn every_request_carries_what_was_given_for_all() {
        let wanted = Wanted {
            headers: vec![("A".to_owned(), "b".to_owned())],
            optional_from: Some(1),
            upload_file: Some("/body".into()),
            ..urls(&["u", "v"])
        };
        let new = registration(&wanted).unwrap();
        assert_eq!(new.requests.iter().map(|request| request.optional).collect::<Vec<_>>(), [false, true]);
        for request in &new.requests {
            assert_eq!((request.headers.len(), request.upload_file.as_deref()), (1, Some(Path::new("/body"))));
        }
    }

    #[test]
    fn an_input_that_is_not_there_is_a_usage_problem() {
        let wanted = Wanted { input: Some("/nowhere/links".into()), ..urls(&[]) };
        assert_eq!(registration(&wanted).unwrap_err().code(), 2);
    }

    #[test]
    fn the_same_command_has_the_same_name_and_another_has_not() {
        let name = |wanted: &Wanted| own_name(&registration(wanted).unwrap()).unwrap();
        let one = urls(&["https://a/"]);
        assert_eq!(name(&one), name(&Wanted { title: Some("t".to_owned()), ..urls(&["https://a/"]) }));
        assert_ne!(name(&one), name(&urls(&["https://b/"])));
        assert_ne!(name(&one), name(&Wanted { dir: Some("/else".into()), ..urls(&["https://a/"]) }));
        assert_ne!(name(&one), name(&Wanted { output: Some("n".into()), ..urls(&["https://a/"]) }));
    }

    #[test]
    fn an_id_is_not_taken_for_a_link() {
        for id in ["1b9d", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "DEADBEEF"] {
            assert!(is_id(id), "{id}");
        }
        for link in ["abc", "https://a/", "example.org", "1b9d/", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed0", ""] {
            assert!(!is_id(link), "{link}");
        }
    }
}
