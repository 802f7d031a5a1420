//! Several files that are dragged out of the window at once. The page may name only one, because WebKit glues several addresses
//! into one that leads nowhere. So it names that of the row under the pointer, or for a row of many files none of them, tells
//! all of them here, and who takes the one is given all.

use std::{
    cell::Cell,
    sync::{Arc, Mutex, PoisonError},
};

use gtk::prelude::WidgetExt;
use tauri::{Manager, Url, WebviewWindow};

/// What the page names for a row of many files. It leads nowhere, so that who is not given them gets nothing.
const MANY: &str = "ashore:carried";

/// The addresses of the files that are being dragged.
#[derive(Clone, Debug, Default)]
pub struct Carried(Arc<Mutex<Vec<Url>>>);

impl Carried {
    /// From now on these are dragged together.
    pub fn are(&self, all: Vec<Url>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = all;
    }

    /// What who takes `taken` is given in its place; none where that is another drag.
    fn instead_of(&self, taken: &[impl AsRef<str>]) -> Option<Vec<Url>> {
        let [only] = taken else { return None };
        let only = Url::parse(only.as_ref()).ok()?;
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_meant = if only.as_str() == MANY { !all.is_empty() } else { all.len() > 1 && all.contains(&only) };
        is_meant.then(|| all.clone())
    }
}

/// Gives all that is dragged to whoever takes something out of `window`.
pub fn hand_out(window: &WebviewWindow) -> tauri::Result<()> {
    let carried = window.state::<Carried>().inner().clone();
    window.with_webview(move |view| {
        let is_heard = Cell::new(false);
        view.inner().connect_drag_begin(move |view, _| {
            // WebKit answers from its first drag on, and has to have done that before.
            if is_heard.replace(true) {
                return;
            }
            let carried = carried.clone();
            view.connect_drag_data_get(move |_, _, data, _, _| {
                if let Some(all) = carried.instead_of(&data.uris()) {
                    data.set_uris(&all.iter().map(Url::as_str).collect::<Vec<_>>());
                }
            });
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_one_of_them_is_given_all_and_who_takes_another_one_only_that() {
        let url = |name: &str| Url::parse(&format!("file:///home/robin/{name}")).unwrap();
        let carried = Carried::default();
        assert_eq!(carried.instead_of(&["file:///home/robin/a"]), None);
        carried.are(vec![url("a%20b"), url("c")]);
        assert_eq!(carried.instead_of(&["file:///home/robin/c"]), Some(vec![url("a%20b"), url("c")]));
        assert_eq!(carried.instead_of(&["file:///home/robin/a b"]), Some(vec![url("a%20b"), url("c")]));
        for other in [&[][..], &["file:///home/robin/d"], &["no address"], &["file:///home/robin/c", "file:///home/robin/d"]] {
            assert_eq!(carried.instead_of(other), None, "{other:?}");
        }
        assert_eq!(carried.instead_of(&[MANY]), Some(vec![url("a%20b"), url("c")]));
        carried.are(vec![url("c")]);
        assert_eq!(carried.instead_of(&["file:///home/robin/c"]), None, "it is the only one");
        assert_eq!(carried.instead_of(&[MANY]), Some(vec![url("c")]), "the only one of its set that is there");
        carried.are(Vec::new());
        assert_eq!(carried.instead_of(&[MANY]), None, "nobody knows them yet");
    }
}
