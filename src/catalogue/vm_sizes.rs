//! What the name of a VM size says: family, number of CPUs, architecture, GPU.
//!
//! The form of the names is documented at <https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions>. Sizes
//! from before the convention deviate from it, and new ones add parts, so only a name that no size can have is invalid.

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

/// Returns the letters of the family, the first and the second number, the letters after them and the other parts of a
/// name in lower case: `standard_e4-2s_v3` is `e`, `4`, `2`, `s`, `v3`.
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

/// Whether a size can have this name, in any letter case: `Standard_`, letters, the number of CPUs, and more parts.
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

/// Returns the number of CPUs of a size, in any letter case. `None` if the name does not say it: in the oldest series the
/// number is only a rank.
#[must_use]
pub fn cpus(name: &str) -> Option<u64> {
    let size = name.to_ascii_lowercase();
    let (family, cpus, constrained, _, others) = split(&size)?;
    let is_old = others.is_empty() || ["v2", "promo", "v2_promo"].contains(&others);
    if is_old && ["a", "d", "ds", "g", "gs"].contains(&family) {
        return None;
    }
    constrained.unwrap_or(cpus).parse().ok().filter(|cpus| *cpus > 0)
}

/// Whether a size has GPUs of NVIDIA, as far as its name says it, in any letter case. `None` if it may have them: not every
/// new size of the families with GPUs is known.
#[must_use]
pub fn has_nvidia_gpu(name: &str) -> Option<bool> {
    let size = name.to_ascii_lowercase();
    let size = size.strip_suffix("_promo").unwrap_or(&size);
    if gpu::is_nvidia(size) {
        return Some(true);
    }
    let (family, ..) = split(size)?;
    let may_have = !gpu::is_amd(size) && ["nc", "nd", "nv"].iter().any(|gpus| family.starts_with(gpus));
    (!may_have).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// From the lists of sizes at <https://learn.microsoft.com/azure/virtual-machines/sizes/overview> and of sizes of previous
    /// generations: name, architecture, number of CPUs where the name says it.
    const SIZES: &[(&str, &str, Option<u64>)] = &[
        ("Basic_A0", "amd64", None),
        ("Basic_A4", "amd64", None),
        ("Standard_A1_v2", "amd64", None),
        ("Standard_A8m_v2", "amd64", None),
        ("Standard_A11", "amd64", None),
        ("Standard_B1ls", "amd64", Some(1)),
        ("Standard_B2s", "amd64", Some(2)),
        ("Standard_B2ts_v2", "amd64", Some(2)),
        ("Standard_B2als_v2", "amd64", Some(2)),
        ("Standard_B2ats_v2", "amd64", Some(2)),
        ("Standard_B2pts_v2", "arm64", Some(2)),
        ("Standard_B16pls_v2", "arm64", Some(16)),
        ("Standard_B20ms", "amd64", Some(20)),
        ("Standard_D1", "amd64", None),
        ("Standard_D11_v2_Promo", "amd64", None),
        ("Standard_D15_v2", "amd64", None),
        ("Standard_DS13-2_v2", "amd64", None),
        ("Standard_DS14_v2_Promo", "amd64", None),
        ("Standard_D2_v3", "amd64", Some(2)),
        ("Standard_D2s_v3", "amd64", Some(2)),
        ("Standard_D4a_v4", "amd64", Some(4)),
        ("Standard_D4ads_v5", "amd64", Some(4)),
        ("Standard_D4ps_v5", "arm64", Some(4)),
        ("Standard_D4plds_v5", "arm64", Some(4)),
        ("Standard_D2pds_v6", "arm64", Some(2)),
        ("Standard_D96lds_v6", "amd64", Some(96)),
        ("Standard_D192ds_v6", "amd64", Some(192)),
        ("Standard_D4nds_v6", "amd64", Some(4)),
        ("Standard_DC2s", "amd64", Some(2)),
        ("Standard_DC1ds_v3", "amd64", Some(1)),
        ("Standard_DC2as_v5", "amd64", Some(2)),
        ("Standard_DC4as_cc_v5", "amd64", Some(4)),
        ("Standard_DC16eds_v5", "amd64", Some(16)),
        ("Standard_E4-2s_v3", "amd64", Some(2)),
        ("Standard_E64i_v3", "amd64", Some(64)),
        ("Standard_E80ids_v4", "amd64", Some(80)),
        ("Standard_E96-48ads_v5", "amd64", Some(48)),
        ("Standard_E96ias_v4", "amd64", Some(96)),
        ("Standard_E4bds_v5", "amd64", Some(4)),
        ("Standard_E112ibds_v5", "amd64", Some(112)),
        ("Standard_E8ps_v5", "arm64", Some(8)),
        ("Standard_E2pds_v6", "arm64", Some(2)),
        ("Standard_EC2as_v5", "amd64", Some(2)),
        ("Standard_EC96iads_v5", "amd64", Some(96)),
        ("Standard_EC128ieds_v5", "amd64", Some(128)),
        ("Standard_F16", "amd64", Some(16)),
        ("Standard_F2s_v2", "amd64", Some(2)),
        ("Standard_F2als_v6", "amd64", Some(2)),
        ("Standard_F4ams_v6", "amd64", Some(4)),
        ("Standard_FX12mds", "amd64", Some(12)),
        ("Standard_FX4-2mds_v2", "amd64", Some(2)),
        ("Standard_G5", "amd64", None),
        ("Standard_GS5-16", "amd64", None),
        ("Standard_H16mr", "amd64", Some(16)),
        ("Standard_H8m_Promo", "amd64", Some(8)),
        ("Standard_HB60rs", "amd64", Some(60)),
        ("Standard_HB120-16rs_v3", "amd64", Some(16)),
        ("Standard_HB176-144rs_v4", "amd64", Some(144)),
        ("Standard_HC44-16rs", "amd64", Some(16)),
        ("Standard_HX176-24rs", "amd64", Some(24)),
        ("Standard_L4s", "amd64", Some(4)),
        ("Standard_L8s_v2", "amd64", Some(8)),
        ("Standard_L8as_v3", "amd64", Some(8)),
        ("Standard_L12aos_v4", "amd64", Some(12)),
        ("Standard_M8-2ms", "amd64", Some(2)),
        ("Standard_M64ls", "amd64", Some(64)),
        ("Standard_M128-32ms", "amd64", Some(32)),
        ("Standard_M192idms_v2", "amd64", Some(192)),
        ("Standard_M416-208ms_v2", "amd64", Some(208)),
        ("Standard_M416ms_v2", "amd64", Some(416)),
        ("Standard_M832ixs_v2", "amd64", Some(832)),
        ("Standard_M176bds_4_v3", "amd64", Some(176)),
        ("Standard_M1792ixds_32_v3", "amd64", Some(1792)),
        ("Standard_NC6", "amd64", Some(6)),
        ("Standard_NC24rs_v3", "amd64", Some(24)),
        ("Standard_NC6_Promo", "amd64", Some(6)),
        ("Standard_NC64as_T4_v3", "amd64", Some(64)),
        ("Standard_NC24ads_A100_v4", "amd64", Some(24)),
        ("Standard_NC80adis_H100_v5", "amd64", Some(80)),
        ("Standard_NCC40ads_H100_v5", "amd64", Some(40)),
        ("Standard_NC24lds_xl_RTXPRO6000BSE_v6", "amd64", Some(24)),
        ("Standard_ND40rs_v2", "amd64", Some(40)),
        ("Standard_ND96asr_v4", "amd64", Some(96)),
        ("Standard_ND96isr_H100_v5", "amd64", Some(96)),
        ("Standard_ND96isr_MI300X_v5", "amd64", Some(96)),
        ("Standard_ND128isr_NDR_GB200_v6", "arm64", Some(128)),
        ("Standard_NG32adms_V620_v1", "amd64", Some(32)),
        ("Standard_NM16ads_MA35D", "amd64", Some(16)),
        ("Standard_NP10s", "amd64", Some(10)),
        ("Standard_NV4as_v4", "amd64", Some(4)),
        ("Standard_NV36adms_A10_v5", "amd64", Some(36)),
        ("Standard_NV28adms_V710_v5", "amd64", Some(28)),
        ("Standard_PB6s", "amd64", Some(6)),
    ];

    #[test]
    fn names_of_real_sizes_are_possible_and_say_architecture_and_cpus() {
        for (name, arch, number) in SIZES {
            for name in [(*name).to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
                assert!(is_possible(&name), "{name}");
                assert_eq!((architecture(&name), cpus(&name)), (Some(*arch), *number), "{name}");
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
            ("Standard_NCC40ads_H100_v5", None),
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
