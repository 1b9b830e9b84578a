//! Facts in the name of a VM size: family, number of CPUs, architecture, GPU.
//!
//! The form of the names is documented at <https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions>.
//! Sizes that are older than the convention deviate from it, and new ones add parts, so only a name that no size can
//! have is invalid.

use super::gpu;

/// The parts of the name of a VM size: `Standard_NC24ads_A100_v4` is family `N`, subfamily `C`, features `ads`, accelerator
/// `A100`, version `4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the parts of a name")]
pub struct VmSizeName<'a> {
    pub family: &'a str,
    pub subfamily: &'a str,
    pub features: &'a str,
    pub accelerator: Option<&'a str>,
    pub version: Option<&'a str>,
}

impl<'a> VmSizeName<'a> {
    /// Parses a name. `None` if it does not have the form of the sizes in use.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("Standard_")?;
        let mut parts = rest.split('_');
        let first = parts.next()?;
        let characters = first.bytes().take_while(u8::is_ascii_uppercase).count();
        let after = &first[characters..];
        let cores = after.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        if characters == 0 || cores == 0 {
            return None;
        }
        let (mut accelerator, mut version) = (None, None);
        for part in parts {
            match part.strip_prefix('v') {
                Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    version = Some(number);
                }
                _ => accelerator = accelerator.or(Some(part)),
            }
        }
        let (family, subfamily) = first[..characters].split_at(1);
        Some(Self { family, subfamily, features: &after[cores..], accelerator, version })
    }

    /// Returns family, subfamily, features and version: `Ds_v3`.
    #[must_use]
    pub fn series(&self) -> String {
        let version = self.version.map(|version| format!("_v{version}")).unwrap_or_default();
        format!("{}{}{}{version}", self.family, self.subfamily, self.features)
    }
}

/// The tiers with which names start, in lower case.
const TIERS: [&str; 3] = ["standard_", "basic_", "experimental_"];

/// Returns the letters of the family, the two numbers, the letters after them and the other parts of a name in lower
/// case: `standard_e4-2s_v3` is `e`, `4`, `2`, `s`, `v3`.
fn split(size: &str) -> Option<(&str, &str, Option<&str>, &str, &str)> {
    let rest = TIERS.iter().find_map(|tier| size.strip_prefix(tier))?;
    let (first, others) = rest.split_once('_').unwrap_or((rest, ""));
    let digit = first.find(|character: char| !character.is_ascii_lowercase())?;
    let (family, rest) = first.split_at(digit);
    let end = rest.find(|character: char| character.is_ascii_lowercase()).unwrap_or(rest.len());
    let (numbers, features) = rest.split_at(end);
    let (cpus, constrained) = match numbers.split_once('-') {
        Some((cpus, constrained)) => (cpus, Some(constrained)),
        None => (numbers, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let fits = !family.is_empty()
        && is_number(cpus)
        && constrained.is_none_or(is_number)
        && is_word(features)
        && (others.is_empty() || others.split('_').all(|part| !part.is_empty() && is_word(part)))
        && !size.ends_with('_');
    fits.then_some((family, cpus, constrained, features, others))
}

/// Reports whether a size can have this name, in any letter case: `Standard_`, letters, the number of CPUs, and more
/// parts.
#[must_use]
pub fn is_possible(name: &str) -> bool {
    split(&name.to_ascii_lowercase()).is_some()
}

/// Returns the architecture of a size, in any letter case: `arm64` if `p` is among its features or its processor is NVIDIA
/// Grace, else `amd64`. `None` if no size can have the name.
#[must_use]
pub fn architecture(name: &str) -> Option<&'static str> {
    let size = name.to_ascii_lowercase();
    let (_, _, _, features, others) = split(&size)?;
    let is_grace = others.split('_').any(|part| part.starts_with("gb200") || part.starts_with("gb300"));
    Some(if features.contains('p') || is_grace { "arm64" } else { "amd64" })
}

/// Returns the number of CPUs of a size, in any letter case. `None` if the name does not contain it: in the oldest
/// series the number is only a rank.
#[must_use]
pub fn cpus(name: &str) -> Option<u64> {
    let size = name.to_ascii_lowercase();
    let (family, cpus, constrained, _, others) = split(&size)?;
    let is_old = others.is_empty() || ["v2", "promo", "v2_promo"].contains(&others);
    if is_old && ["a", "d", "ds", "g", "gs"].contains(&family) {
        let known = old_size(&size).map(|(cpus, _)| cpus);
        return constrained.and_then(|cpus| cpus.parse().ok()).or(known);
    }
    constrained.unwrap_or(cpus).parse().ok().filter(|cpus| *cpus > 0)
}

/// The number of CPUs and the memory in GiB of each size of the oldest series that are still in use, by the family and number of the
/// name, without `s`, which only means premium disks.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/bv1-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/av2-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/dv2-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/compute-optimized/f-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes-previous-gen>
const OF_OLD_SIZES: &[(&str, u64, f64)] = &[
    ("b1l", 1, 0.5),
    ("b1", 1, 1.0),
    ("b1m", 1, 2.0),
    ("b2", 2, 4.0),
    ("b2m", 2, 8.0),
    ("b4m", 4, 16.0),
    ("b8m", 8, 32.0),
    ("b12m", 12, 48.0),
    ("b16m", 16, 64.0),
    ("b20m", 20, 80.0),
    ("a1_v2", 1, 2.0),
    ("a2_v2", 2, 4.0),
    ("a4_v2", 4, 8.0),
    ("a8_v2", 8, 16.0),
    ("a2m_v2", 2, 16.0),
    ("a4m_v2", 4, 32.0),
    ("a8m_v2", 8, 64.0),
    ("d2", 2, 7.0),
    ("d3", 4, 14.0),
    ("d4", 8, 28.0),
    ("d11", 2, 14.0),
    ("d12", 4, 28.0),
    ("d13", 8, 56.0),
    ("d14", 16, 112.0),
    ("d1_v2", 1, 3.5),
    ("d2_v2", 2, 7.0),
    ("d3_v2", 4, 14.0),
    ("d4_v2", 8, 28.0),
    ("d5_v2", 16, 56.0),
    ("d11_v2", 2, 14.0),
    ("d12_v2", 4, 28.0),
    ("d13_v2", 8, 56.0),
    ("d14_v2", 16, 112.0),
    ("d15_v2", 20, 140.0),
    ("f1", 1, 2.0),
    ("f2", 2, 4.0),
    ("f4", 4, 8.0),
    ("f8", 8, 16.0),
    ("f16", 16, 32.0),
    ("l4", 4, 32.0),
    ("l8", 8, 64.0),
    ("l16", 16, 128.0),
    ("l32", 32, 256.0),
    ("g1", 2, 28.0),
    ("g2", 4, 56.0),
    ("g3", 8, 112.0),
    ("g4", 16, 224.0),
    ("g5", 32, 448.0),
];

/// The memory in GiB of sizes with GPUs of NVIDIA, by the name in lower case. Where the pages differ from the list, the list counts, because
/// AKS also reads it.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated>, and the sizes of AKS as Azure lists them in its regions:
/// <https://aspire.dev/reference/api/csharp/aspire.hosting.azure.kubernetes/>
const OF_GPU_SIZES: &[(&str, f64)] = &[
    ("nc4as_t4_v3", 28.0),
    ("nc8as_t4_v3", 56.0),
    ("nc16as_t4_v3", 110.0),
    ("nc64as_t4_v3", 440.0),
    ("nc6s_v3", 112.0),
    ("nc12s_v3", 224.0),
    ("nc24s_v3", 448.0),
    ("nc24rs_v3", 448.0),
    ("nc24ads_a100_v4", 220.0),
    ("nc48ads_a100_v4", 440.0),
    ("nc96ads_a100_v4", 880.0),
    ("nc40ads_h100_v5", 320.0),
    ("nc80adis_h100_v5", 640.0),
    ("nc8ads_a10_v4", 100.0),
    ("nc16ads_a10_v4", 200.0),
    ("nc32ads_a10_v4", 400.0),
    ("ncc40ads_h100_v5", 320.0),
    ("nc24lds_xl_rtxpro6000bse_v6", 72.0),
    ("nc36lds_xl_rtxpro6000bse_v6", 72.0),
    ("nc72lds_xl_rtxpro6000bse_v6", 132.0),
    ("nc144lds_xl_rtxpro6000bse_v6", 264.0),
    ("nc288lds_xl_rtxpro6000bse_v6", 516.0),
    ("nc36ds_xl_rtxpro6000bse_v6", 132.0),
    ("nc72ds_xl_rtxpro6000bse_v6", 264.0),
    ("nc144ds_xl_rtxpro6000bse_v6", 516.0),
    ("nc288ds_xl_rtxpro6000bse_v6", 1032.0),
    ("nd40rs_v2", 672.0),
    ("nd96asr_v4", 900.0),
    ("nd96amsr_a100_v4", 1800.0),
    ("nd96isr_h100_v5", 1900.0),
    ("nd96isr_h200_v5", 1850.0),
    ("nd128isr_ndr_gb200_v6", 864.0),
    ("nd128isr_gb300_v6", 864.0),
    ("nv6s_v2", 112.0),
    ("nv12s_v2", 224.0),
    ("nv24s_v2", 448.0),
    ("nv12s_v3", 112.0),
    ("nv24s_v3", 224.0),
    ("nv48s_v3", 448.0),
    ("nv6ads_a10_v5", 55.0),
    ("nv12ads_a10_v5", 110.0),
    ("nv18ads_a10_v5", 220.0),
    ("nv36ads_a10_v5", 440.0),
    ("nv36adms_a10_v5", 880.0),
    ("nv72ads_a10_v5", 880.0),
];

/// The memory in GiB of sizes in series where the number of CPUs does not determine it, by the name in lower case without the letters
/// of variants with the same memory: `s`, `d` and `i`. The list counts here, too.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/e-family>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/m-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/mv2-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/msv3-mm-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview#high-performance-compute>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/compute-optimized/fx-family>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/msv3-hm-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/mbsv3-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/ec-family>,
/// <https://aspire.dev/reference/api/csharp/aspire.hosting.azure.kubernetes/>
const OF_LARGE_SIZES: &[(&str, f64)] = &[
    ("e64_v3", 432.0),
    ("e64_v4", 504.0),
    ("e80_v4", 504.0),
    ("e64a_v4", 512.0),
    ("e96a_v4", 672.0),
    ("e64_v5", 512.0),
    ("e96_v5", 672.0),
    ("e104_v5", 672.0),
    ("e64a_v5", 512.0),
    ("e96a_v5", 672.0),
    ("e112a_v5", 672.0),
    ("e64b_v5", 512.0),
    ("e96b_v5", 672.0),
    ("e112b_v5", 672.0),
    ("e64_v6", 512.0),
    ("e96_v6", 768.0),
    ("e128_v6", 1024.0),
    ("e192_v6", 1832.0),
    ("e64a_v6", 512.0),
    ("e96a_v6", 672.0),
    ("e64p_v6", 512.0),
    ("e96p_v6", 672.0),
    ("e64n_v6", 512.0),
    ("e96n_v6", 768.0),
    ("e128n_v6", 1024.0),
    ("ec32a_v5", 192.0),
    ("ec64a_v5", 512.0),
    ("ec96a_v5", 672.0),
    ("ec32a_cc_v5", 192.0),
    ("ec64a_cc_v5", 512.0),
    ("ec96a_cc_v5", 672.0),
    ("ec64e_v5", 512.0),
    ("ec128e_v5", 768.0),
    ("ec64a_v6", 512.0),
    ("ec96a_v6", 672.0),
    ("ec64e_v6", 512.0),
    ("m8m", 218.75),
    ("m16m", 437.5),
    ("m32t", 192.0),
    ("m32l", 256.0),
    ("m32m", 875.0),
    ("m64", 1024.0),
    ("m64l", 512.0),
    ("m64m", 1792.0),
    ("m128", 2048.0),
    ("m128m", 3892.0),
    ("m32m_v2", 875.0),
    ("m64_v2", 1024.0),
    ("m64m_v2", 1792.0),
    ("m128_v2", 2048.0),
    ("m128m_v2", 3892.0),
    ("m192_v2", 2048.0),
    ("m192m_v2", 4096.0),
    ("m208_v2", 2850.0),
    ("m208m_v2", 5700.0),
    ("m416_v2", 5700.0),
    ("m416_8_v2", 7600.0),
    ("m416_9_v2", 8568.0),
    ("m416_10_v2", 9496.0),
    ("m416m_v2", 11_400.0),
    ("m12_v3", 240.0),
    ("m24_v3", 480.0),
    ("m48_1_v3", 974.0),
    ("m96_1_v3", 974.0),
    ("m96_2_v3", 1946.0),
    ("m176_3_v3", 2794.0),
    ("m176_4_v3", 3892.0),
    ("m416_6_v3", 5696.0),
    ("m416_8_v3", 7600.0),
    ("m416_9_v3", 8568.0),
    ("m416_10_v3", 9496.0),
    ("m416_12_v3", 11_400.0),
    ("m624_12_v3", 11_400.0),
    ("m832_12_v3", 11_400.0),
    ("m832_16_v3", 15_200.0),
    ("m896x_24_v3", 23_088.0),
    ("m896x_32_v3", 30_400.0),
    ("m1792x_32_v3", 30_400.0),
    ("m16b_v3", 128.0),
    ("m32b_v3", 256.0),
    ("m48b_v3", 384.0),
    ("m64b_v3", 512.0),
    ("m96b_v3", 768.0),
    ("m128b_v3", 1024.0),
    ("m176b_v3", 1536.0),
    ("m416b_v3", 3800.0),
    ("m64b_1_v3", 1397.0),
    ("m96b_2_v3", 1946.0),
    ("m128b_3_v3", 2794.0),
    ("m176b_4_v3", 3892.0),
    ("hb120r_v2", 456.0),
    ("hb120r_v3", 456.0),
    ("hb176r_v4", 768.0),
    ("hb368r_v5", 448.0),
    ("hc44r", 352.0),
    ("hx176r", 1408.0),
    ("fx4m", 84.0),
    ("fx12m", 252.0),
    ("fx24m", 504.0),
    ("fx36m", 756.0),
    ("fx48m", 1008.0),
    ("fx2m_v2", 42.0),
    ("fx4m_v2", 84.0),
    ("fx8m_v2", 168.0),
    ("fx12m_v2", 252.0),
    ("fx16m_v2", 336.0),
    ("fx24m_v2", 504.0),
    ("fx32m_v2", 672.0),
    ("fx48m_v2", 1008.0),
    ("fx64m_v2", 1344.0),
    ("fx96m_v2", 1832.0),
    ("nd96r_mi300x_v5", 1850.0),
    ("nd96_mi300x_v5", 1850.0),
    ("np10", 168.0),
    ("np20", 336.0),
    ("np40", 672.0),
    ("ng8a_v620_v1", 16.0),
    ("ng16a_v620_v1", 32.0),
    ("ng32a_v620_v1", 64.0),
    ("ng32am_v620_v1", 176.0),
    ("nv4a_v710_v5", 16.0),
    ("nv8a_v710_v5", 32.0),
    ("nv12a_v710_v5", 64.0),
    ("nv24a_v710_v5", 128.0),
    ("nv28am_v710_v5", 160.0),
    ("nv4a_v4", 14.0),
    ("nv8a_v4", 28.0),
    ("nv16a_v4", 56.0),
    ("nv32a_v4", 112.0),
];

/// Returns the memory in GiB of a size of these series, by the parts of its name in lower case. A size with fewer CPUs than its series has
/// the memory of the whole size.
fn memory_of_large_size(family: &str, numbers: &str, features: &str, others: &str) -> Option<f64> {
    let features: String = features.chars().filter(|letter| !"sdi".contains(*letter)).collect();
    let name = if others.is_empty() {
        format!("{family}{numbers}{features}")
    } else {
        format!("{family}{numbers}{features}_{others}")
    };
    OF_LARGE_SIZES.iter().find(|(known, _)| *known == name).map(|(_, gib)| *gib)
}

/// Returns the number of CPUs and the memory in GiB of a size of the oldest series, by its name in lower case.
fn old_size(size: &str) -> Option<(u64, f64)> {
    let size = size.strip_suffix("_promo").unwrap_or(size);
    let (family, numbers, _, features, others) = split(size)?;
    let old = [family.trim_end_matches('s'), numbers, features.trim_end_matches('s')].concat();
    let old = if others.is_empty() { old } else { format!("{old}_{others}") };
    OF_OLD_SIZES.iter().find(|(name, ..)| *name == old).map(|(_, cpus, gib)| (*cpus, *gib))
}

/// The CPUs of the largest size of the E series with 8 GiB for each CPU in every version.
const LARGEST_REGULAR_E: u32 = 48;

/// The same in the seventh version, of which all known sizes are regular.
/// <https://aspire.dev/reference/api/csharp/aspire.hosting.azure.kubernetes/>
const LARGEST_REGULAR_E_V7: u32 = 192;

/// The most memory of the first sizes with Arm64 processors, in GiB.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/dpsv5-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/epsv5-series>
const LARGEST_OF_ARM_V5: f64 = 208.0;

/// Returns the memory in GiB of a size of the common families, in any letter case. `None` if the name does not determine it: in
/// the special families each size has its own amount.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview>
#[must_use]
pub(crate) fn memory_gib(name: &str) -> Option<f64> {
    let size = name.to_ascii_lowercase();
    let size = size.strip_suffix("_promo").unwrap_or(&size);
    if let Some((_, gib)) = old_size(size) {
        return Some(gib);
    }
    if let Some((_, gib)) = OF_GPU_SIZES.iter().find(|(name, _)| size.strip_prefix("standard_") == Some(name)) {
        return Some(*gib);
    }
    let (family, numbers, _, features, others) = split(size)?;
    if let Some(gib) = memory_of_large_size(family, numbers, features, others) {
        return Some(gib);
    }
    let version: u64 = others.split('_').find_map(|part| part.strip_prefix('v')?.parse().ok())?;
    let is_low = features.contains('l');
    let each = match (family, version) {
        // <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/bsv2-series>: the smallest has 1 GiB for 2 CPUs.
        ("b", 2..) if features.contains('t') => 0.5,
        // <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/dcsv3-series>
        ("dc", 3) | ("e", 3..) | ("ec", 5..) | ("l", 2..=4) => 8.0,
        // <https://learn.microsoft.com/azure/virtual-machines/sizes/compute-optimized/famsv6-series>
        ("f", 6 | 7) if features.contains('m') => 8.0,
        ("d" | "dc", 3..) | ("b", 2..) | ("f", 6 | 7) if is_low => 2.0,
        ("d", 3..) | ("b" | "dc", 2..) | ("f", 6 | 7) => 4.0,
        ("f", 2) => 2.0,
        _ => return None,
    };
    // A size with fewer CPUs than its series has the memory of the whole size.
    let whole: u32 = numbers.parse().ok()?;
    // The largest sizes have less for each CPU, another amount in each version; those that are known are in a table.
    let largest = if version == 7 { LARGEST_REGULAR_E_V7 } else { LARGEST_REGULAR_E };
    if ["e", "ec"].contains(&family) && whole > largest {
        return None;
    }
    let memory = f64::from(whole) * each;
    let memory = if version == 5 && features.contains('p') { memory.min(LARGEST_OF_ARM_V5) } else { memory };
    Some(memory).filter(|memory| *memory > 0.0)
}

/// Sizes with premium disks whose names do not say so, in lower case.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/m-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/dcsv2-series>
const WITH_PREMIUM_DISKS: [&str; 5] =
    ["standard_m64", "standard_m64m", "standard_m128", "standard_m128m", "standard_dc8_v2"];

/// Reports whether a size supports premium disks, by its name in any letter case: `s` is among its features or, in the oldest
/// series, ends its family.
#[must_use]
pub(crate) fn has_premium_disks(name: &str) -> bool {
    let size = name.to_ascii_lowercase();
    WITH_PREMIUM_DISKS.contains(&&*size)
        || split(&size).is_some_and(|(family, _, _, features, _)| features.contains('s') || family.ends_with('s'))
}

/// The series without nested virtualization, by their families and versions in lower case; the empty version is the first one. The page
/// of each series has a table of its features.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview>
const WITHOUT_NESTED_VMS: [(&str, &str); 9] =
    [("a", ""), ("a", "v2"), ("b", ""), ("b", "v2"), ("d", ""), ("d", "v2"), ("ds", ""), ("ds", "v2"), ("f", "")];

/// The beginnings of the families without nested virtualization: with GPUs or FPGAs, and for high performance.
const FAMILIES_WITHOUT_NESTED_VMS: [&str; 5] = ["nc", "nd", "nv", "hb", "hc"];

/// Reports whether machines of a size cannot run VMs of their own, by its name in any letter case. `false` if that is not known.
#[must_use]
pub(crate) fn lacks_nested_vms(name: &str) -> bool {
    let size = name.to_ascii_lowercase();
    let Some((family, _, _, features, others)) = split(size.strip_suffix("_promo").unwrap_or(&size)) else {
        return false;
    };
    // Confidential VMs cannot have others inside, except those that are made for it.
    let is_confidential = ["dc", "ec"].contains(&family) && !others.split('_').any(|part| part == "cc");
    // The first processors of AMD in this family.
    let is_first_amd = family == "d" && features.starts_with('a') && others == "v4";
    architecture(&size) == Some("arm64")
        || is_confidential
        || is_first_amd
        || FAMILIES_WITHOUT_NESTED_VMS.iter().any(|start| family.starts_with(start))
        || WITHOUT_NESTED_VMS.contains(&(family, others))
}

/// The largest disk of an operating system on AKS, in GiB.
/// <https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update>
pub(crate) const LARGEST_DISK_GIB: i64 = 2048;

/// The largest temporary disk of the families that have larger ones than the disk of an operating system, by the beginning of the
/// family: the number of the smallest size with such a disk, and GiB. The largest have `Standard_M128`, `Standard_ND96asr_v4`, `Standard_G5`, `Standard_E104ids_v5`, `Standard_D96ds_v5`, `Standard_NV72ads_A10_v5`.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/m-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ndasra100v4-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/memory-optimized/edsv5-series>
const LARGEST_TEMPORARY_DISKS_GIB: [(&str, u64, i64); 6] =
    [("m", 64, 14_336), ("nd", 96, 6_144), ("g", 4, 6_144), ("e", 64, 3_800), ("d", 64, 3_800), ("nv", 36, 2_880)];

/// Returns the size of the largest disk on which a machine of a size can have a swap file, in GiB.
#[must_use]
pub(crate) fn largest_disk_gib(name: &str) -> i64 {
    let size = name.to_ascii_lowercase();
    let Some((family, number, ..)) = split(&size) else { return LARGEST_DISK_GIB };
    let number = number.parse().unwrap_or(0);
    let mut rows = LARGEST_TEMPORARY_DISKS_GIB.iter();
    let known = rows.find(|(start, smallest, _)| family.starts_with(start) && number >= *smallest);
    known.map_or(LARGEST_DISK_GIB, |(.., gib)| *gib)
}

/// Reports whether a size has NVIDIA GPUs, by its name in any letter case. `None` if that is not known, as for new
/// sizes of the families with GPUs.
#[must_use]
pub fn has_nvidia_gpu(name: &str) -> Option<bool> {
    let size = name.to_ascii_lowercase();
    let size = size.strip_suffix("_promo").unwrap_or(&size);
    if gpu::has_nvidia(size) {
        return Some(true);
    }
    let (family, ..) = split(size)?;
    let may_have = !gpu::has_amd(size) && ["nc", "nd", "nv"].iter().any(|gpus| family.starts_with(gpus));
    (!may_have).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_small_sizes_is_known() {
        for (name, gib) in [
            ("Standard_B1ls", Some(0.5)),
            ("Standard_B1s", Some(1.0)),
            ("standard_b1ms", Some(2.0)),
            ("Standard_B2s", Some(4.0)),
            ("Standard_B2s_v2", Some(8.0)),
            ("Standard_A1_v2", Some(2.0)),
            ("Standard_A2m_v2", Some(16.0)),
            ("Standard_DS1_v2", Some(3.5)),
            ("Standard_DS2_v2_Promo", Some(7.0)),
            ("Standard_D2s_v5", Some(8.0)),
            ("Standard_DS11-1_v2", Some(14.0)),
            ("Standard_G1", Some(28.0)),
            ("Standard_GS5-16", Some(448.0)),
            ("Standard_G6", None),
            ("Standard_E8s_v5", Some(64.0)),
            ("Standard_E32-8as_v4", Some(256.0)),
            ("Standard_E64s_v3", Some(432.0)),
            ("Standard_E64-16s_v3", Some(432.0)),
            ("Standard_E64i_v3", Some(432.0)),
            ("Standard_E80ids_v4", Some(504.0)),
            ("Standard_E96as_v4", Some(672.0)),
            ("Standard_E96-24ads_v5", Some(672.0)),
            ("Standard_E104is_v5", Some(672.0)),
            ("Standard_E112ibds_v5", Some(672.0)),
            ("Standard_E96s_v6", Some(768.0)),
            ("Standard_E96as_v6", Some(672.0)),
            ("Standard_E96ps_v6", Some(672.0)),
            ("Standard_E192ids_v6", Some(1832.0)),
            ("Standard_E128s_v5", None),
            ("Standard_M32ts", Some(192.0)),
            ("Standard_M64", Some(1024.0)),
            ("Standard_M128-64ms", Some(3892.0)),
            ("Standard_M192idms_v2", Some(4096.0)),
            ("Standard_M416s_8_v2", Some(7600.0)),
            ("Standard_M416-208ms_v2", Some(11_400.0)),
            ("Standard_M96ds_2_v3", Some(1946.0)),
            ("Standard_M176bds_v3", Some(1536.0)),
            ("Standard_M176-88bds_4_v3", Some(3892.0)),
            ("Standard_M416ds_6_v3", Some(5696.0)),
            ("Standard_M832ids_16_v3", Some(15_200.0)),
            ("Standard_M896ixds_24_v3", Some(23_088.0)),
            ("Standard_M512bs_v3", None),
            ("Standard_HB368-48rs_v5", Some(448.0)),
            ("Standard_E96-24ads_v7", Some(768.0)),
            ("Standard_E192s_v7", Some(1536.0)),
            ("Standard_E372s_v7", None),
            ("Standard_E96nds_v6", Some(768.0)),
            ("Standard_F16-4amds_v7", Some(128.0)),
            ("Standard_F8als_v7", Some(16.0)),
            ("Standard_F80as_v7", Some(320.0)),
            ("Standard_F4s", Some(8.0)),
            ("Standard_DC8_v2", Some(32.0)),
            ("Standard_EC32as_v5", Some(192.0)),
            ("Standard_EC32eds_v5", Some(256.0)),
            ("Standard_EC96as_cc_v5", Some(672.0)),
            ("Standard_EC128ies_v5", Some(768.0)),
            ("Standard_EC128as_v6", None),
            ("Standard_ND96isr_H200_v5", Some(1850.0)),
            ("Standard_NV12s_v3", Some(112.0)),
            ("Standard_HB120-16rs_v3", Some(456.0)),
            ("Standard_HB120rs_v3", Some(456.0)),
            ("Standard_ND96amsr_A100_v4", Some(1800.0)),
            ("Standard_HB176rs_v4", Some(768.0)),
            ("Standard_HC44rs", Some(352.0)),
            ("Standard_HX176-24rs", Some(1408.0)),
            ("Standard_FX4mds", Some(84.0)),
            ("Standard_FX96ms_v2", Some(1832.0)),
            ("Standard_ND96isr_MI300X_v5", Some(1850.0)),
            ("Standard_NG32adms_V620_v1", Some(176.0)),
            ("Standard_NV24ads_V710_v5", Some(128.0)),
            ("Standard_NV4as_v4", Some(14.0)),
            ("Standard_EC8as_v5", Some(64.0)),
            ("Standard_D1", None),
            ("Standard_DS13", Some(56.0)),
            ("Standard_L16s", Some(128.0)),
            ("Standard_B3ms", None),
            ("Standard_M8ms", Some(218.75)),
            ("Standard_B2ts_v2", Some(1.0)),
            ("Standard_B2ats_v2", Some(1.0)),
            ("Standard_B2als_v2", Some(4.0)),
            ("Standard_DC1s_v3", Some(8.0)),
            ("Standard_DC48ds_v3", Some(384.0)),
            ("Standard_DC2as_v5", Some(8.0)),
            ("Standard_D48ps_v5", Some(192.0)),
            ("Standard_D64ps_v5", Some(208.0)),
            ("Standard_D64ps_v6", Some(256.0)),
            ("Standard_E32pds_v5", Some(208.0)),
            ("Standard_NC16as_T4_v3", Some(110.0)),
            ("standard_nc24ads_a100_v4", Some(220.0)),
            ("Standard_NC6s_v3", Some(112.0)),
            ("Standard_NC24ads_A100_v9", None),
            ("Standard_L8s_v3", Some(64.0)),
            ("Standard_L80as_v3", Some(640.0)),
            ("Standard_F4als_v6", Some(8.0)),
            ("Standard_F4as_v6", Some(16.0)),
            ("Standard_F4ams_v6", Some(32.0)),
        ] {
            assert_eq!(memory_gib(name), gib, "{name}");
        }
    }

    /// From the table of features on the page of each series.
    #[test]
    fn sizes_without_nested_virtualization_are_known() {
        for (name, lacks) in [
            ("Standard_B4ms", true),
            ("Standard_B4s_v2", true),
            ("Standard_B2ats_v2", true),
            ("Standard_D4ps_v6", true),
            ("Standard_D4as_v4", true),
            ("Standard_D4as_v5", false),
            ("Standard_D4as_v6", false),
            ("Standard_D4ds_v4", false),
            ("Standard_D2s_v3", false),
            ("Standard_DS2_v2_Promo", true),
            ("Standard_DC4as_v5", true),
            ("Standard_DC4as_cc_v5", false),
            ("Standard_DC4s_v3", true),
            ("Standard_EC4ads_v5", true),
            ("Standard_E4as_v5", false),
            ("Standard_F4s_v2", false),
            ("Standard_L8as_v3", false),
            ("Standard_M64s", false),
            ("Standard_NC4as_T4_v3", true),
            ("Standard_ND96asr_v4", true),
            ("Standard_NV6ads_A10_v5", true),
            ("Standard_HB120rs_v3", true),
            ("nonsense", false),
        ] {
            assert_eq!(lacks_nested_vms(name), lacks, "{name}");
        }
    }

    #[test]
    fn the_largest_disk_for_a_swap_file_is_that_of_the_family() {
        for (name, gib) in [
            ("Standard_D4s_v5", 2048),
            ("Standard_D96ds_v5", 3800),
            ("Standard_E104ids_v5", 3800),
            ("Standard_M128", 14_336),
            ("Standard_ND96asr_v4", 6144),
            ("Standard_F72s_v2", 2048),
            ("nonsense", 2048),
        ] {
            assert_eq!(largest_disk_gib(name), gib, "{name}");
        }
    }

    #[test]
    fn names_of_sizes_are_parsed() {
        for (name, family, series, version, accelerator) in [
            ("Standard_D2s_v3", "D", "Ds_v3", Some("3"), None),
            ("Standard_D2_v5", "D", "D_v5", Some("5"), None),
            ("Standard_NC24ads_A100_v4", "N", "NCads_v4", Some("4"), Some("A100")),
            ("Standard_M8-2ms", "M", "Mms", None, None),
        ] {
            let found = VmSizeName::parse(name).expect("the name of a size");
            assert_eq!((found.family, found.version, found.accelerator), (family, version, accelerator), "{name}");
            assert_eq!(found.series(), series, "{name}");
        }
        assert_eq!(VmSizeName::parse("Basic_A0"), None);
    }

    /// Name, architecture, and number of CPUs where the name says it, from the lists of sizes at
    /// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview> and of sizes of previous generations.
    const SIZES: &str = include_str!("../../testdata/vm_sizes.csv");

    #[test]
    fn names_of_real_sizes_are_possible_and_say_architecture_and_cpus() {
        for row in SIZES.lines().skip(1) {
            let [name, arch, number] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
            for name in [name.to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
                assert!(is_possible(&name), "{name}");
                assert_eq!((architecture(&name), cpus(&name)), (Some(arch), number.parse().ok()), "{name}");
            }
        }
    }

    #[test]
    fn other_names_are_impossible() {
        for name in [
            "",
            "D4s_v5",
            "Standard",
            "Standard_",
            "Standard_D",
            "Standard_Ds_v5",
            "Standard_4s_v5",
            "Standard_D4s_v5_",
            "Standard__D4s_v5",
            "Standard_D4s__v5",
            "Standard_D4s_",
            "Standard_D4s v5",
            "Standard-D4s-v5",
            "Standard_D4-s_v5",
            "Standard_D-4s_v5",
            "Standard_D4s_v5 ",
            "Standard_D4s_v5,Standard_D8s_v5",
            "Premium_D4s_v5",
        ] {
            assert!(!is_possible(name), "{name}");
            assert_eq!((architecture(name), cpus(name)), (None, None), "{name}");
        }
    }

    #[test]
    fn gpus_of_nvidia_are_known_by_the_list_and_the_family() {
        for (name, expected) in [
            ("Standard_NC6_Promo", Some(true)),
            ("standard_nd96isr_h100_v5", Some(true)),
            ("Standard_NC999ads_B900_v9", None),
            ("Standard_NCC40ads_H100_v5", Some(true)),
            ("Standard_NV6s_v2", Some(true)),
            ("Standard_NV16as_v4", Some(false)),
            ("Standard_ND96isr_MI300X_v5", Some(false)),
            ("Standard_NP10s", Some(false)),
            ("Standard_NG32adms_V620_v1", Some(false)),
            ("Standard_D4s_v5", Some(false)),
            ("nonsense", None),
        ] {
            assert_eq!(has_nvidia_gpu(name), expected, "{name}");
        }
    }
}
