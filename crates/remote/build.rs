//! Compiles the page in `ui/dist` into the crate. If this folder does not exist, the crate still builds, but it serves
//! a sentence instead of the page.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Folder of the page, which `npm --prefix ui run build` writes.
const PAGE: &str = "../../ui/dist";
/// Minimum size in bytes of a file that is compressed.
const SMALLEST: usize = 1024;
/// Parameters of Brotli: quality, and the logarithm of the window size.
const QUALITY: u32 = 9;
const WINDOW: u32 = 22;

fn main() -> io::Result<()> {
    // If the folder does not exist yet, Cargo runs this program again at the next build. Thus a page that is built
    // later is not missed.
    println!("cargo:rerun-if-changed={PAGE}");
    println!("cargo:rerun-if-changed=build.rs");
    let output = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut list = String::from("const FILES: &[PageFile] = &[\n");
    for (index, path) in files(Path::new(PAGE))?.iter().enumerate() {
        let bytes = fs::read(path)?;
        let name = path.strip_prefix(PAGE).unwrap_or(path).to_string_lossy().into_owned();
        fs::write(output.join(format!("{index}.plain")), &bytes)?;
        let brotli = match bytes.len() >= SMALLEST {
            true => {
                fs::write(output.join(format!("{index}.br")), compressed(&bytes)?)?;
                format!("Some(include_bytes!(\"{index}.br\"))")
            }
            false => "None".to_owned(),
        };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let tag = hasher.finish();
        let plain = format!("include_bytes!(\"{index}.plain\")");
        list += &format!("    PageFile {{ path: {name:?}, plain: {plain}, brotli: {brotli}, tag: \"{tag:016x}\" }},\n");
    }
    fs::write(output.join("page_files.rs"), list + "];\n")
}

/// Returns all files below `folder`, sorted; none if it does not exist.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 64 * 1024, QUALITY, WINDOW);
    writer.write_all(bytes)?;
    writer.flush()?;
    Ok(writer.into_inner())
}
