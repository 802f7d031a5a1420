//! Several files that are dragged out of the window at once. The page may name only one, because WebKit glues several addresses
//! into one that leads nowhere. So it names that of the row under the pointer, or for a row of many files none of them, says
//! here by their ids which they are, and who takes the one is given the addresses that Ashore knows of all.

use std::{
    cell::Cell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use gtk::prelude::WidgetExt;
use tauri::{Manager, Url, WebviewWindow};

/// What the page names for a row of many files. It leads nowhere, so that who is not given them gets nothing.
const MANY: &str = "ashore:carried";

/// The addresses of the files that are being dragged.
#[derive(Clone, Debug, Default)]
pub struct DragPayload(Arc<Mutex<Drag>>);

#[derive(Debug, Default)]
struct Drag {
    /// So many there were before.
    number: u64,
    addresses: Vec<Url>,
}

impl DragPayload {
    /// Another drag begins. Until its files are known, nobody is given those of the drag before.
    pub fn begin(&self) -> u64 {
        let mut drag = self.drag();
        *drag = Drag { number: drag.number + 1, addresses: Vec::new() };
        drag.number
    }

    /// These are dragged together by the drag of this `number`, unless there is another one by now.
    pub fn are(&self, number: u64, addresses: Vec<Url>) {
        let mut drag = self.drag();
        if drag.number == number {
            drag.addresses = addresses;
        }
    }

    fn drag(&self) -> MutexGuard<'_, Drag> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What who takes `taken` is given in its place; none where that is another drag.
    fn instead_of(&self, taken: &[impl AsRef<str>]) -> Option<Vec<Url>> {
        let [only] = taken else { return None };
        let only = Url::parse(only.as_ref()).ok()?;
        let drag = self.drag();
        let all = &drag.addresses;
        let is_meant = if only.as_str() == MANY { !all.is_empty() } else { all.len() > 1 && all.contains(&only) };
        is_meant.then(|| all.clone())
    }
}

/// Gives all that is dragged to whoever takes something out of `window`.
pub fn start_drag(window: &WebviewWindow) -> tauri::Result<()> {
    let carried = window.state::<DragPayload>().inner().clone();
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
        let carried = DragPayload::default();
        assert_eq!(carried.instead_of(&["file:///home/robin/a"]), None);
        let drag = carried.begin();
        carried.are(drag, vec![url("a%20b"), url("c")]);
        assert_eq!(carried.instead_of(&["file:///home/robin/c"]), Some(vec![url("a%20b"), url("c")]));
        assert_eq!(carried.instead_of(&["file:///home/robin/a b"]), Some(vec![url("a%20b"), url("c")]));
        for other in [&[][..], &["file:///home/robin/d"], &["no address"], &["file:///home/robin/c", "file:///home/robin/d"]] {
            assert_eq!(carried.instead_of(other), None, "{other:?}");
        }
        assert_eq!(carried.instead_of(&[MANY]), Some(vec![url("a%20b"), url("c")]));
        carried.are(drag, vec![url("c")]);
        assert_eq!(carried.instead_of(&["file:///home/robin/c"]), None, "it is the only one");
        assert_eq!(carried.instead_of(&[MANY]), Some(vec![url("c")]), "the only one of its set that is there");
        carried.begin();
        assert_eq!(carried.instead_of(&[MANY]), None, "nobody knows them yet");
        carried.are(drag, vec![url("c")]);
        assert_eq!(carried.instead_of(&[MANY]), None, "those of the drag before came late");
    }
}
