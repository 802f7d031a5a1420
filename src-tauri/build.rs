//! Tells Tauri where the capability file is, since it is not in the usual place.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A pattern of one's own makes Tauri print no rerun line.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*.json");
    tauri_build::try_build(attributes)?;
    Ok(())
}
