//! What the rows of `rendering` allocate. `cargo bench --bench allocations` prints a table.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]

#[expect(dead_code, reason = "limits and documents of any size are for the times")]
mod rows;

fn main() {
    println!("| work | allocations | bytes | most at once |\n|---|---:|---:|---:|");
    for row in rows::rows() {
        // Constants are made by the first.
        (row.work)();
        let all = allocation_counter::measure(&row.work);
        println!("| {} | {} | {} | {} |", row.what, all.count_total, all.bytes_total, all.bytes_max);
    }
}
