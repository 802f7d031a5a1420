//! Sets the path of Tauri's capability file, which is not in its default location.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Tauri prints no `rerun-if-changed` line for capability files that a custom pattern selects.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*.json");
    tauri_build::try_build(attributes)?;
    Ok(())
}
