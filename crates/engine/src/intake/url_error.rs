//! Describes errors of links in words for users. [pure]

pub(crate) fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it is not there".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be used by you".to_owned(),
        std::io::ErrorKind::ReadOnlyFilesystem => "its disk is read-only".to_owned(),
        std::io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        _ => error.to_string(),
    }
}
