//! Drags several files out of the window together.
//!
//! The page can give WebKit only one address, because WebKit joins several addresses into one invalid address. So the
//! page gives WebKit the address of the row under the pointer, or a placeholder if this row has many files. The page
//! also sends the ids of all dragged files to Ashore. The drop target then gets the addresses that Ashore returns for
//! these ids.

use std::{
    cell::Cell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use gtk::prelude::WidgetExt;
use tauri::{Manager, Url, WebviewWindow};

/// Placeholder that the page gives WebKit for a row of many files. The placeholder is not a valid address. So if a drop
/// target gets the placeholder instead of the files, the target ignores it.
const MANY: &str = "ashore:carried";

/// Addresses of the files in the current drag.
#[derive(Clone, Debug, Default)]
pub struct DragPayload(Arc<Mutex<Drag>>);

#[derive(Debug, Default)]
struct Drag {
    /// Number that identifies the drag.
    number: u64,
    addresses: Vec<Url>,
}

impl DragPayload {
    /// Begins a drag and returns its number. Forgets the files of the previous drag.
    pub fn begin(&self) -> u64 {
        let mut drag = self.drag();
        *drag = Drag { number: drag.number + 1, addresses: Vec::new() };
        drag.number
    }

    /// Sets the addresses of the files in the drag `number`, unless another drag has begun.
    pub fn are(&self, number: u64, addresses: Vec<Url>) {
        let mut drag = self.drag();
        if drag.number == number {
            drag.addresses = addresses;
        }
    }

    fn drag(&self) -> MutexGuard<'_, Drag> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the addresses that the drop target gets instead of `taken`; `None` if `taken` is not from this drag.
    fn instead_of(&self, taken: &[impl AsRef<str>]) -> Option<Vec<Url>> {
        let [only] = taken else { return None };
        let only = Url::parse(only.as_ref()).ok()?;
        let drag = self.drag();
        let all = &drag.addresses;
        let is_meant = if only.as_str() == MANY { !all.is_empty() } else { all.len() > 1 && all.contains(&only) };
        is_meant.then(|| all.clone())
    }
}

/// Passes all dragged files to the drop target when a drag leaves `window`.
pub fn start_drag(window: &WebviewWindow) -> tauri::Result<()> {
    let carried = window.state::<DragPayload>().inner().clone();
    window.with_webview(move |view| {
        let is_heard = Cell::new(false);
        view.inner().connect_drag_begin(move |view, _| {
            // Connect this handler only at the first drag. WebKit has connected its own handler by then, so this
            // handler runs last.
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
    fn drop_target_receives_all_dragged_files_instead_of_the_placeholder() {
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
        assert_eq!(carried.instead_of(&[MANY]), Some(vec![url("c")]), "the only existing file of its registration");
        carried.begin();
        assert_eq!(carried.instead_of(&[MANY]), None, "the files are not known yet");
        carried.are(drag, vec![url("c")]);
        assert_eq!(carried.instead_of(&[MANY]), None, "the files of the previous drag arrived late");
    }
}
