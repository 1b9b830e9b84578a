//! CPU and memory that a node reserves for Kubernetes.
//! <https://learn.microsoft.com/azure/aks/node-resource-reservations>

/// Returns the sum of the shares of an amount in each bracket, given as upper end and rate. Uses floating point like
/// the reference, for the same rounding.
fn reserved(amount: f64, brackets: &[(f64, f64)]) -> f64 {
    let (mut total, mut lower) = (0.0, 0.0);
    for (upper, rate) in brackets {
        if amount <= lower {
            break;
        }
        total += (amount.min(*upper) - lower) * rate;
        lower = *upper;
    }
    total
}

/// Returns the CPU to reserve: in millicores, or in cores if it is a whole number of them.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
#[expect(clippy::cast_precision_loss, reason = "a VM size has few cores")]
pub(crate) fn reserved_cpu(cores: u64) -> String {
    let shares = [(1.0, 0.06), (2.0, 0.04), (4.0, 0.02), (f64::INFINITY, 0.01)];
    let millicores = (1000.0 * reserved(cores as f64, &shares)) as i64;
    if millicores % 1000 == 0 { (millicores / 1000).to_string() } else { format!("{millicores}m") }
}

/// Returns the memory to reserve before Kubernetes 1.29: in mebibytes, or in gibibytes if it is a whole number of them.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
pub(crate) fn reserved_memory(gib: f64) -> String {
    let shares = [(4.0, 0.25), (8.0, 0.20), (16.0, 0.10), (128.0, 0.06), (f64::INFINITY, 0.02)];
    let mebibytes = (1024.0 * reserved(gib, &shares)) as i64;
    if mebibytes > 0 && mebibytes % 1024 == 0 { format!("{}Gi", mebibytes / 1024) } else { format!("{mebibytes}Mi") }
}

#[cfg(feature = "cli")]
/// Returns the memory in mebibytes to reserve from Kubernetes 1.29 on: 20 for each pod and 50 more, at most a quarter of the memory
/// in GiB if that is known.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut off")]
pub(crate) fn reserved_memory_for_pods(pods: i64, gib: Option<f64>) -> i64 {
    let for_pods = 20 * pods + 50;
    gib.map_or(for_pods, |gib| for_pods.min((gib * 1024.0 / 4.0) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_cpu_is_rounded_as_in_the_reference() {
        let cores = [1, 2, 4, 8, 16, 20, 32, 48, 64, 72, 80, 96, 112, 120, 128, 176, 192, 208, 416];
        let wanted =
            "60m 100m 140m 180m 260m 300m 420m 580m 740m 820m 900m 1060m 1220m 1299m 1380m 1859m 2020m 2180m 4260m";
        assert_eq!(cores.map(reserved_cpu).join(" "), wanted);
    }

    #[test]
    fn memory_for_pods_is_at_most_a_quarter() {
        for (pods, gib, expected) in
            [(30, Some(8.0), 650), (70, Some(4.0), 1024), (110, None, 2250), (110, Some(8.0), 2048)]
        {
            assert_eq!(reserved_memory_for_pods(pods, gib), expected);
        }
    }

    #[test]
    fn reserved_memory_is_rounded_as_in_the_reference() {
        let sizes = [
            0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 8.0, 14.0, 16.0, 28.0, 32.0, 56.0, 64.0, 96.0, 112.0, 128.0, 256.0, 384.0,
            512.0, 672.0, 900.0, 1024.0,
        ];
        let wanted = "128Mi 256Mi 512Mi 896Mi 1Gi 1638Mi 1843Mi 2457Mi 2662Mi 3399Mi 3645Mi 5Gi 5611Mi 7577Mi 8560Mi \
                      9543Mi 12165Mi 14786Mi 17Gi 20684Mi 25354Mi 27893Mi";
        assert_eq!(sizes.map(reserved_memory).join(" "), wanted);
    }
}
