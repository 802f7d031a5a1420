//! Takes a picture of every view and dialog in every look, and collects all pictures on one page.
//!
//! Not a test: `make gallery` runs it for visual review.

use std::{fmt::Write, fs};

use crate::{
    page::WindowPage,
    pictures::sources,
    scenes::{LARGE_TEXT, LIGHT, Look, NARROW, SCENES},
    stage::Stage,
};

const LOOKS: [Look; 6] = [
    LIGHT,
    Look { name: "dark", theme: "dark", ..LIGHT },
    Look { name: "right to left", language: "ar", ..LIGHT },
    NARROW,
    Look { name: "narrow, dark, right to left", theme: "dark", language: "ar", ..NARROW },
    LARGE_TEXT,
];

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Ashore, every view</title>
<style>
  body { font: 14px system-ui; margin: 24px; color: #15191d; background: #dfe4e8; }
  h2 { margin: 40px 0 12px; font-size: 17px; }
  div { display: flex; gap: 16px; overflow-x: auto; align-items: flex-start; }
  figure { margin: 0; flex: none; }
  figcaption { margin-bottom: 4px; color: #3d464f; }
  img { display: block; height: 420px; border: 1px solid #868f9a; }
</style>
<h1>Ashore, every view</h1>
"#;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a picture of every view: `make gallery`"]
async fn every_view_in_every_look_is_captured() {
    let folder = sources().join("target/gallery");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let stage = Stage::new().await;
    let page = WindowPage::open_for_pictures(&stage).await;
    // The window must be shown once, because hidden windows are never painted.
    stage.windows_are(1).await;
    let mut index = HEAD.to_owned();
    for scene in SCENES {
        let _ = write!(index, "<h2>{}</h2>\n<div>\n", scene.name);
        for look in LOOKS {
            scene.set(&page, look).await;
            let file = format!("{}.png", plain(&format!("{} {}", scene.name, look.name)));
            fs::write(folder.join(&file), page.picture().await).unwrap();
            let picture = format!(r#"<a href="{file}"><img src="{file}" alt=""></a>"#);
            let _ = writeln!(index, "<figure><figcaption>{}</figcaption>{picture}</figure>", look.name);
        }
        index.push_str("</div>\n");
    }
    fs::write(folder.join("index.html"), index).unwrap();
}

/// Converts `name` to a file name that is valid on every system.
fn plain(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
