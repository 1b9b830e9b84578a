//! A tar archive in GNU's format: regular files without owners and times.
//!
//! These few lines spare the library a dependency that needs an operating system. The tests read an archive with GNU
//! tar.

/// Size of a block, in bytes.
const BLOCK: usize = 512;

/// Returns an archive of files: path without a leading `/`, mode, content. Paths have at most 100 bytes.
pub(super) fn archive<'f>(files: impl Iterator<Item = (&'f str, u32, String)>) -> Vec<u8> {
    let mut archive = Vec::new();
    for (path, mode, content) in files {
        archive.extend(header(path, mode, content.len()));
        archive.extend(content.as_bytes());
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    archive
}

fn header(path: &str, mode: u32, size: usize) -> [u8; BLOCK] {
    assert!(path.len() <= 100, "{path} is too long for the header of an archive");
    let mut header = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, path.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    put(257, b"ustar  ");
    // The checksum counts its own field as blanks.
    put(148, b"        ");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:07o}\0").as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_the_tar_crate() {
        let files =
            [("etc/a", 0o644, "x".repeat(700)), ("opt/b.sh", 0o755, String::new()), ("c", 0o600, "y".repeat(512))];
        let mut expected = ::tar::Builder::new(Vec::new());
        for (path, mode, content) in &files {
            let mut header = ::tar::Header::new_gnu();
            header.set_mode(*mode);
            header.set_size(content.len() as u64);
            expected.append_data(&mut header, path, content.as_bytes()).expect("memory accepts everything");
        }
        assert_eq!(archive(files.into_iter()), expected.into_inner().expect("memory accepts everything"));
    }
}
