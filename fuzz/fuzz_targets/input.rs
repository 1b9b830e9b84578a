//! Any bytes: every kind of input is read, judged and rendered, or refused with findings.

#![no_main]

use aks_node_controller::delivery::{Request, Route};
use aks_node_controller::inputs::{Checks, Reading};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let reading =
        Reading::new(None, bytes, &Checks { values: true, strict: true, misspelled_fields: true, ..Checks::default() });
    assert_eq!(reading.input.is_some(), reading.report.is_valid());
    let Some(input) = Reading::new(None, bytes, &Checks::default()).input else { return };
    for route in Route::ALL {
        let _ = Request { route, ..Request::default() }.render(&input);
    }
});
