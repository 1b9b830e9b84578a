//! VM sizes with GPUs: the driver that each needs, and whether it needs the fabric manager.
//!
//! Names of sizes are in lower case, here and in arguments. The sizes that need a specific driver or the fabric manager
//! are from AgentBaker (`aks-node-controller/pkg/gpu`), the sizes of each vendor from Karpenter's provider for Azure
//! (`pkg/utils/supported-gpus.yaml`). The two lists differ.

/// An NVIDIA driver for one class of GPUs.
#[derive(Debug, PartialEq, Eq)]
pub struct Driver {
    /// The name in `GPU_DRIVER_TYPE`.
    pub kind: &'static str,
    /// The repository of the driver image, whose tag has the version and the suffix.
    pub repository: &'static str,
    /// The version, if images are no longer built for this class.
    pub fixed_version: Option<&'static str>,
}

/// The driver of sizes with an RTX PRO 6000.
pub static GRID_V20: Driver = Driver { kind: "grid-v20", repository: "aks-gpu-grid-v20", fixed_version: None };
/// The driver of sizes with a part of an A10.
pub static GRID: Driver = Driver { kind: "grid", repository: "aks-gpu-grid", fixed_version: None };
/// The driver of the first generation of NC sizes. 470 is the last version that supports them; the suffix is from the
/// LTS image.
pub static CUDA_LEGACY: Driver =
    Driver { kind: "cuda", repository: "aks-gpu-cuda-lts", fixed_version: Some("cuda-470.82.01") };
/// The driver of all other sizes, including those without a GPU.
pub static CUDA_LTS: Driver = Driver { kind: "cuda-lts", repository: "aks-gpu-cuda-lts", fixed_version: None };

/// Returns the driver of a size.
#[must_use]
pub fn driver(size: &str) -> &'static Driver {
    if RTX_PRO_6000.contains(&size) {
        &GRID_V20
    } else if CONVERGED_A10.contains(&size) {
        &GRID
    } else if size.starts_with("standard_nc") && !size.contains("_v") {
        &CUDA_LEGACY
    } else {
        &CUDA_LTS
    }
}

/// Reports whether `NVSwitch` connects the GPUs of a size, which needs the fabric manager.
#[must_use]
pub fn needs_fabric_manager(size: &str) -> bool {
    [FABRIC_A100, FABRIC_H100, FABRIC_H200].iter().any(|sizes| sizes.contains(&size))
}

/// Reports whether a size has NVIDIA GPUs.
#[must_use]
pub fn is_nvidia(size: &str) -> bool {
    NVIDIA.contains(&size)
}

/// Reports whether a size has AMD GPUs, for which no driver is installed.
#[must_use]
pub fn is_amd(size: &str) -> bool {
    AMD.contains(&size)
}

/// Reports whether a size has NVIDIA GPUs, also if AKS does not list it.
pub(crate) fn has_nvidia(size: &str) -> bool {
    is_nvidia(size) || OTHER_NVIDIA.contains(&size)
}

/// Reports whether a size has AMD GPUs, also if AKS does not list it.
pub(crate) fn has_amd(size: &str) -> bool {
    is_amd(size) || OTHER_AMD.contains(&size)
}

/// GPUs that MIG partitions, as the names of sizes have them.
/// <https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html>
const PARTITIONED: [&str; 7] = ["a100", "a30", "h100", "h200", "gb200", "gb300", "rtxpro6000bse"];

/// Reports whether the GPUs of a size can be partitioned by MIG.
#[must_use]
pub fn can_be_partitioned(size: &str) -> bool {
    // The first size with an A100 does not name it.
    size.starts_with("standard_nd96asr_v4") || size.split('_').any(|part| PARTITIONED.contains(&part))
}

/// An image that contains a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverImage {
    /// The repository, without registry and path.
    pub repository: &'static str,
    /// The version of the driver, the first part of the tag.
    pub version: &'static str,
    /// The second part of the tag, a timestamp.
    pub suffix: &'static str,
}

/// The driver images in AgentBaker's `components.json` at commit 06836ee2301e, used if no image provides the list.
pub static DRIVER_IMAGES: [DriverImage; 4] = [
    DriverImage { repository: "aks-gpu-cuda-lts", version: "580.159.04", suffix: "20260629214430" },
    DriverImage { repository: "aks-gpu-cuda", version: "580.126.09", suffix: "20260430040408" },
    DriverImage { repository: "aks-gpu-grid", version: "570.211.01", suffix: "20260522192315" },
    DriverImage { repository: "aks-gpu-grid-v20", version: "595.58.03", suffix: "20260609172331" },
];

/// Sizes with a part of an A10, which need the GRID driver.
const CONVERGED_A10: &[&str] = &[
    "standard_nv6ads_a10_v5",
    "standard_nv12ads_a10_v5",
    "standard_nv18ads_a10_v5",
    "standard_nv36ads_a10_v5",
    "standard_nv72ads_a10_v5",
    "standard_nv36adms_a10_v5",
    "standard_nc8ads_a10_v4",
    "standard_nc16ads_a10_v4",
    "standard_nc32ads_a10_v4",
];

/// Sizes with an RTX PRO 6000.
const RTX_PRO_6000: &[&str] = &[
    "standard_nc24lds_xl_rtxpro6000bse_v6",
    "standard_nc36ds_xl_rtxpro6000bse_v6",
    "standard_nc36lds_xl_rtxpro6000bse_v6",
    "standard_nc72ds_xl_rtxpro6000bse_v6",
    "standard_nc72lds_xl_rtxpro6000bse_v6",
    "standard_nc144ds_xl_rtxpro6000bse_v6",
    "standard_nc144lds_xl_rtxpro6000bse_v6",
    "standard_nc288ds_xl_rtxpro6000bse_v6",
    "standard_nc288lds_xl_rtxpro6000bse_v6",
    "standard_nc128ds_xl_rtxpro6000bse_v6",
    "standard_nc128lds_xl_rtxpro6000bse_v6",
    "standard_nc256ds_xl_rtxpro6000bse_v6",
    "standard_nc256lds_xl_rtxpro6000bse_v6",
    "standard_nc320ds_xl_rtxpro6000bse_v6",
    "standard_nc320lds_xl_rtxpro6000bse_v6",
];

/// A100 sizes with `NVSwitch`.
const FABRIC_A100: &[&str] = &[
    "standard_nd96asr_v4",
    "standard_nd112asr_a100_v4",
    "standard_nd120asr_a100_v4",
    "standard_nd96amsr_a100_v4",
    "standard_nd112amsr_a100_v4",
    "standard_nd120amsr_a100_v4",
    "standard_nd96ams_a100_v4",
    "standard_nd96ams_v4",
];

/// H100 sizes with `NVSwitch`.
const FABRIC_H100: &[&str] = &[
    "standard_nd46s_h100_v5",
    "standard_nd48s_h100_v5",
    "standard_nd50s_h100_v5",
    "standard_nd92is_h100_v5",
    "standard_nd96is_h100_v5",
    "standard_nd100is_h100_v5",
    "standard_nd92isr_h100_v5",
    "standard_nd96isr_h100_v5",
    "standard_nd100isr_h100_v5",
];

/// H200 sizes with `NVSwitch`.
const FABRIC_H200: &[&str] = &["standard_nd96is_h200_v5", "standard_nd96isr_h200_v5", "standard_nd96isrf_h200_v5"];

/// Sizes with NVIDIA GPUs that AKS supports.
const NVIDIA: &[&str] = &[
    "standard_nc6",
    "standard_nc12",
    "standard_nc24",
    "standard_nc24r",
    "standard_nc6s_v2",
    "standard_nc12s_v2",
    "standard_nc24s_v2",
    "standard_nc24rs_v2",
    "standard_nc6s_v3",
    "standard_nc12s_v3",
    "standard_nc24s_v3",
    "standard_nc24rs_v3",
    "standard_nc4as_t4_v3",
    "standard_nc8as_t4_v3",
    "standard_nc16as_t4_v3",
    "standard_nc64as_t4_v3",
    "standard_nc8ads_a10_v4",
    "standard_nc16ads_a10_v4",
    "standard_nc32ads_a10_v4",
    "standard_nc24ads_a100_v4",
    "standard_nc48ads_a100_v4",
    "standard_nc96ads_a100_v4",
    "standard_nc40ads_h100_v5",
    "standard_nc80adis_h100_v5",
    "standard_nc24lds_xl_rtxpro6000bse_v6",
    "standard_nc36ds_xl_rtxpro6000bse_v6",
    "standard_nc36lds_xl_rtxpro6000bse_v6",
    "standard_nc72ds_xl_rtxpro6000bse_v6",
    "standard_nc72lds_xl_rtxpro6000bse_v6",
    "standard_nc144ds_xl_rtxpro6000bse_v6",
    "standard_nc144lds_xl_rtxpro6000bse_v6",
    "standard_nc288ds_xl_rtxpro6000bse_v6",
    "standard_nc288lds_xl_rtxpro6000bse_v6",
    "standard_nd6s",
    "standard_nd12s",
    "standard_nd24s",
    "standard_nd24rs",
    "standard_nd40rs_v2",
    "standard_nd40s_v3",
    "standard_nd96asr_v4",
    "standard_nd112asr_a100_v4",
    "standard_nd120asr_a100_v4",
    "standard_nd96amsr_a100_v4",
    "standard_nd112amsr_a100_v4",
    "standard_nd120amsr_a100_v4",
    "standard_nd96ams_v4",
    "standard_nd96ams_a100_flex_v4",
    "standard_nd96ams_a100_v4",
    "standard_nd96amsf_a100_v4",
    "standard_nd96amsrf_a100_v4",
    "standard_nd96isr_h100_v5",
    "standard_nd96is_h100_v5",
    "standard_nd96is_noib_h100_v5",
    "standard_nd96is_flex_h100_v5",
    "standard_nd96isf_h100_v5",
    "standard_nd96isrf_h100_v5",
    "standard_nd96isr_h200_v5",
    "standard_nd96is_h200_v5",
    "standard_nd96isf_h200_v5",
    "standard_nd96isrf_h200_v5",
    "standard_nd128isr_ndr_gb200_v6",
    "standard_nd128isr_gb300_v6",
    "standard_nv6",
    "standard_nv12",
    "standard_nv24",
    "standard_nv24r",
    "standard_nv12s_v3",
    "standard_nv24s_v3",
    "standard_nv48s_v3",
    "standard_nv6ads_a10_v5",
    "standard_nv12ads_a10_v5",
    "standard_nv18ads_a10_v5",
    "standard_nv36ads_a10_v5",
    "standard_nv36adms_a10_v5",
    "standard_nv72ads_a10_v5",
];

/// Sizes with AMD GPUs.
const AMD: &[&str] = &[
    "standard_nv4ads_v710_v5",
    "standard_nv8ads_v710_v5",
    "standard_nv12ads_v710_v5",
    "standard_nv24ads_v710_v5",
    "standard_nv28adms_v710_v5",
    "standard_nd96isr_mi300x_v5",
    "standard_nd96is_mi300x_v5",
];

/// Sizes with NVIDIA GPUs that AKS does not list: those with a Tesla M60 and premium disks, and one for confidential VMs.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated>
const OTHER_NVIDIA: [&str; 4] =
    ["standard_nv6s_v2", "standard_nv12s_v2", "standard_nv24s_v2", "standard_ncc40ads_h100_v5"];

/// Sizes with AMD GPUs that AKS does not list: those with a Radeon PRO V620 or a Radeon Instinct MI25.
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ngadsv620-series>,
/// <https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvv4-series>
const OTHER_AMD: [&str; 8] = [
    "standard_ng8ads_v620_v1",
    "standard_ng16ads_v620_v1",
    "standard_ng32ads_v620_v1",
    "standard_ng32adms_v620_v1",
    "standard_nv4as_v4",
    "standard_nv8as_v4",
    "standard_nv16as_v4",
    "standard_nv32as_v4",
];
