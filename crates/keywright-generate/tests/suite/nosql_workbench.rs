//! The NoSQL Workbench model fits the structure that the Workbench documents, for every example's committed output.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn models() -> Vec<(String, Value)> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut models = Vec::new();
    for example in fs::read_dir(golden).expect("there is output").flatten() {
        for file in
            fs::read_dir(example.path().join("nosql-workbench")).expect("the target is there").flatten()
        {
            let text = fs::read_to_string(file.path()).expect("it can be read");
            models
                .push((file.path().display().to_string(), serde_json::from_str(&text).expect("it is JSON")));
        }
    }
    assert!(models.len() >= 4);
    models
}

#[test]
fn models_fit_the_documented_structure() {
    let schema: Value =
        serde_json::from_str(include_str!("../nosql_workbench.json")).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    for (path, model) in models() {
        let errors: Vec<String> = validator.iter_errors(&model).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{path}: {errors:#?}");
    }
}

#[test]
fn every_facet_has_sample_items_with_distinct_keys() {
    for (path, model) in models() {
        for table in model["DataModel"].as_array().expect("tables") {
            let keys = &table["KeyAttributes"];
            let names: Vec<&str> = ["PartitionKey", "SortKey"]
                .iter()
                .filter_map(|key| keys[*key]["AttributeName"].as_str())
                .collect();
            let mut seen = std::collections::BTreeSet::new();
            for facet in table["TableFacets"].as_array().expect("facets") {
                let items = facet["TableData"].as_array().expect("items");
                assert!(!items.is_empty(), "{path}: {}", facet["FacetName"]);
                for item in items {
                    let key: Vec<String> = names.iter().map(|name| item[*name].to_string()).collect();
                    assert!(key.iter().all(|value| value != "null"), "{path}: {item}");
                    seen.insert(key);
                }
            }
            assert!(seen.len() > 1, "{path}");
        }
    }
}
