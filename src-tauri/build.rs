//! Sets the path of Tauri's capability file, which is not in the usual place.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Tauri prints no `rerun-if-changed` line for capability files that are given by a custom pattern.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*.json");
    tauri_build::try_build(attributes)?;
    Ok(())
}
