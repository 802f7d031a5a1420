//! Creates the random files that the programs fetch, and checks that every byte arrived.

use std::{
    fs::{self, File},
    io::{Read, Write},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use rand::{RngCore, SeedableRng, rngs::SmallRng};
use sha2::{Digest, Sha256};

const MIB: u64 = 1 << 20;
const PIECE: usize = 1 << 20;

/// Set of files of equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchDocument {
    /// 1 file of 4 GiB.
    Large,
    /// 1 file of 1 GiB.
    Medium,
    /// 1 file of 256 MiB.
    Quarter,
    /// 1 file of 200 MiB.
    Far,
    /// 10,000 files of 10 KiB.
    Small,
    /// 1,000 files of 1 MiB.
    Thousand,
    /// 200 files of 1 MiB.
    Hundreds,
}

impl BenchDocument {
    /// Returns the number of files and the size of each in bytes.
    pub fn shape(self) -> (usize, u64) {
        match self {
            Self::Large => (1, 4096 * MIB),
            Self::Medium => (1, 1024 * MIB),
            Self::Quarter => (1, 256 * MIB),
            Self::Far => (1, 200 * MIB),
            Self::Small => (10_000, 10 << 10),
            Self::Thousand => (1000, MIB),
            Self::Hundreds => (200, MIB),
        }
    }

    /// Returns the total bytes of all files.
    pub fn size(self) -> u64 {
        let (count, size) = self.shape();
        count as u64 * size
    }

    /// Returns the folder of the files.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Large => "large",
            Self::Medium => "medium",
            Self::Quarter => "quarter",
            Self::Far => "far",
            Self::Small => "small",
            Self::Thousand => "thousand",
            Self::Hundreds => "hundreds",
        }
    }

    /// Returns the file names in order.
    pub fn names(self) -> Vec<String> {
        (0..self.shape().0).map(|number| format!("{number:05}.bin")).collect()
    }

    /// Creates the files below `root` from a fixed seed, so that they are always the same.
    pub fn make(self, root: &Path) -> Result<()> {
        let folder = root.join(self.folder());
        fs::create_dir_all(&folder)?;
        let (_, size) = self.shape();
        let mut random = SmallRng::seed_from_u64(size);
        let mut piece = vec![0; PIECE.min(usize::try_from(size)?)];
        for name in self.names() {
            let mut file = File::create(folder.join(name))?;
            let mut left = size;
            while left > 0 {
                random.fill_bytes(&mut piece);
                let length = piece.len().min(usize::try_from(left)?);
                file.write_all(&piece[..length]).context("not enough space for the documents")?;
                left -= length as u64;
            }
        }
        Ok(())
    }

    /// Returns the SHA-256 of the first file, in hexadecimal.
    pub fn sha256(self, root: &Path) -> Result<String> {
        let path = root.join(self.folder()).join(self.names().first().context("the downloaded file is missing")?);
        let (mut file, mut hasher, mut piece) = (File::open(path)?, Sha256::new(), vec![0; PIECE]);
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(hex::encode(hasher.finalize())),
                length => hasher.update(&piece[..length]),
            }
        }
    }

    /// Returns whether `target` contains exactly the files below `root`, byte by byte.
    pub fn is_in(self, root: &Path, target: &Path) -> Result<bool> {
        let names = self.names();
        if fs::read_dir(target)?.count() != names.len() {
            return Ok(false);
        }
        let pairs: Vec<(PathBuf, PathBuf)> =
            names.iter().map(|name| (root.join(self.folder()).join(name), target.join(name))).collect();
        for (wanted, found) in pairs {
            if !found.is_file() || !is_same(&wanted, &found)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns whether two files are equal; compares the halves of large files in parallel.
fn is_same(one: &Path, other: &Path) -> Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    let size = one.metadata()?.len();
    if other.metadata()?.len() != size {
        return Ok(false);
    }
    let middle = size / 2;
    if middle < PIECE as u64 {
        return is_same_between(&one, &other, 0, size);
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(|| is_same_between(&one, &other, 0, middle));
        let second = is_same_between(&one, &other, middle, size)?;
        let first = first.join().map_err(|_| anyhow::anyhow!("the comparison failed"))??;
        Ok(first && second)
    })
}

fn is_same_between(one: &File, other: &File, from: u64, to: u64) -> Result<bool> {
    let length = PIECE.min(usize::try_from(to - from)?);
    let (mut left, mut right) = (vec![0; length], vec![0; length]);
    let mut at = from;
    while at < to {
        let length = length.min(usize::try_from(to - at)?);
        one.read_exact_at(&mut left[..length], at)?;
        other.read_exact_at(&mut right[..length], at)?;
        if left[..length] != right[..length] {
            return Ok(false);
        }
        at += length as u64;
    }
    ensure!(at == to, "the comparison overran");
    Ok(true)
}
