//! The images in containerd's store. Its metadata are a file of bbolt, the database of etcd, which is read without containerd.
//! <https://github.com/etcd-io/bbolt>

use std::cell::Cell;
use std::collections::BTreeSet;

/// The file, below the root of an image.
pub(super) const METADATA: &str = "/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db";

/// The buckets around the names: the version of the schema, the namespace of Kubernetes, the images.
const IMAGES: [&str; 3] = ["v1", "k8s.io", "images"];

/// The first bytes of a page that describes the database.
const MAGIC: u32 = 0xed0c_daed;
const HEADER: usize = 16;
const BRANCH: u16 = 1;
const LEAF: u16 = 2;
const ELEMENT: usize = 16;

/// A tree has few levels, and each page is in it once. More of them are a circle.
const DEEPEST: usize = 16;
const SMALLEST_PAGE: usize = 512;

/// Returns the names of the images. `None` if the file is not such a database, or is damaged.
pub(super) fn images(file: &[u8]) -> Option<BTreeSet<String>> {
    let (root, page_size) = root(file)?;
    let pages = Cell::new(file.len() / SMALLEST_PAGE);
    let mut bucket = Bucket { file, page_size, pages: &pages, root: Root::Page(root) };
    for name in IMAGES {
        let mut found = None;
        bucket.each(&mut |key, value| {
            if key == name.as_bytes() {
                found = Some(value);
            }
        })?;
        let Some(value) = found else { return Some(BTreeSet::new()) };
        // A bucket has the number of its first page and a counter, or the page itself behind them.
        let root = match number(value, 0)? {
            0 => Root::Inline(value.get(16..)?),
            page => Root::Page(page),
        };
        bucket = Bucket { root, ..bucket };
    }
    let mut names = BTreeSet::new();
    bucket.each(&mut |key, _| {
        names.insert(String::from_utf8_lossy(key).into_owned());
    })?;
    Some(names)
}

/// Returns the first page of the newest state, and the size of pages.
fn root(file: &[u8]) -> Option<(u64, usize)> {
    let meta = |at: usize| {
        let page = file.get(at..)?.get(HEADER..)?;
        let is_meta = short(page, 0)? == MAGIC;
        is_meta.then_some((number(page, 48)?, number(page, 16)?, short(page, 8)? as usize))
    };
    // One of two pages is the older state, or a write that was interrupted.
    let first = meta(0)?;
    let newest = [Some(first), meta(first.2)].into_iter().flatten().max()?;
    Some((newest.1, newest.2))
}

#[derive(Clone, Copy)]
struct Bucket<'f, 'p> {
    file: &'f [u8],
    page_size: usize,
    /// How many pages can still be read.
    pages: &'p Cell<usize>,
    root: Root<'f>,
}

#[derive(Clone, Copy)]
enum Root<'f> {
    Page(u64),
    Inline(&'f [u8]),
}

impl<'f> Bucket<'f, '_> {
    /// Calls a function with each key and value.
    fn each(&self, call: &mut dyn FnMut(&'f [u8], &'f [u8])) -> Option<()> {
        match self.root {
            Root::Page(page) => self.page(page, DEEPEST, call),
            Root::Inline(page) => self.elements(page, DEEPEST, call),
        }
    }

    fn page(&self, page: u64, levels: usize, call: &mut dyn FnMut(&'f [u8], &'f [u8])) -> Option<()> {
        self.pages.set(self.pages.get().checked_sub(1)?);
        let at = usize::try_from(page).ok()?.checked_mul(self.page_size)?;
        self.elements(self.file.get(at..)?, levels, call)
    }

    fn elements(&self, page: &'f [u8], levels: usize, call: &mut dyn FnMut(&'f [u8], &'f [u8])) -> Option<()> {
        let kind = u16::from_le_bytes(page.get(8..10)?.try_into().ok()?);
        let count = u16::from_le_bytes(page.get(10..12)?.try_into().ok()?);
        for index in 0..usize::from(count) {
            let element = page.get(HEADER + index * ELEMENT..)?;
            match kind {
                BRANCH => self.page(number(element, 8)?, levels.checked_sub(1)?, call)?,
                LEAF => {
                    let part = |at| Some(short(element, at)? as usize);
                    let (start, key, value) = (part(4)?, part(8)?, part(12)?);
                    let text = element.get(start..)?;
                    call(text.get(..key)?, text.get(key..key.checked_add(value)?)?);
                }
                _ => return None,
            }
        }
        Some(())
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    /// What containerd 1.6 wrote after an import of two images, one time more in another namespace.
    const WRITTEN: &[u8] = include_bytes!("../../testdata/containerd/metadata.gz");

    fn written() -> Vec<u8> {
        let mut file = Vec::new();
        GzDecoder::new(WRITTEN).read_to_end(&mut file).expect("it is compressed");
        file
    }

    #[test]
    fn the_images_of_the_namespace_of_kubernetes_are_found() {
        let expected =
            ["mcr.microsoft.com/oss/kubernetes/kube-proxy:v1.34.2", "mcr.microsoft.com/oss/v2/kubernetes/pause:3.6"];
        assert_eq!(images(&written()), Some(BTreeSet::from(expected.map(str::to_owned))));
    }

    #[test]
    fn a_damaged_file_ends_the_reading() {
        let file = written();
        for broken in [&b""[..], b"text", &file[..100], &vec![0; 65536]] {
            assert_eq!(images(broken), None);
        }
        for at in (0..file.len()).step_by(97) {
            let mut changed = file.clone();
            changed[at] ^= 0xff;
            images(&changed);
            images(&file[..at]);
        }
    }
}
