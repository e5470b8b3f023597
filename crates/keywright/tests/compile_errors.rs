//! What must not compile, and the words in which the compiler says so.

#[test]
fn wrong_keys_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/passes.rs");
    for case in [
        "unknown_field",
        "number_without_width",
        "float_without_encoding",
        "optional_in_required_key",
        "missing_prefix",
        "gap_in_declared_prefix",
        "gap_in_prefix",
        "wrong_encoding",
        "wrong_encoding_of_own_type",
        "not_a_key_type",
        "serde_names",
        "tenant_not_in_key",
        "words",
    ] {
        cases.compile_fail(format!("tests/ui/{case}.rs"));
    }
}
