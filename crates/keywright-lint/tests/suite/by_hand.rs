//! A design as people write it: what is wrong with it is said once, and nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

/// The rules that speak about a design, in the order of the document, readers first.
fn spoken(design: &str) -> Vec<&'static str> {
    let read = keywright_document::read_table_design(design);
    let judged = keywright_lint::designs(&read.design, &read.source, None);
    read.findings.iter().chain(&judged).map(|finding| finding.rule.name()).collect()
}

#[test]
fn an_index_that_is_read_by_mistake_is_not_unused() {
    let design = |operation: &str| {
        format!(
            "# Table Design\n| GSI Name | Partition Key | Sort Key | Projection |\n|---|---|---|---|\n| GSI1 | GSI1PK | GSI1SK | ALL |\n\n\
             | Entity | PK | SK | GSI1PK | GSI1SK |\n|---|---|---|---|---|\n| User | `USER#<userId>` | `USER#<userId>` | `EMAIL#<email>` | `EMAIL#<email>` |\n\n\
             | AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value |\n|---|---|---|---|---|---|---|\n\
             | AP-001 | By email | {operation} | `EMAIL#<email>` | = | `EMAIL#<email>` |\n"
        )
    };
    assert_eq!(spoken(&design("GetItem | GSI1")), ["get-item-on-index"]);
    assert!(spoken(&design("GetItem | Table")).contains(&"unused-index"));
}

#[test]
fn a_remark_on_the_ttl_says_that_it_is_no_number_of_seconds() {
    let design = |remark: &str| {
        format!(
            "# Table Design\n## Entities\n### Session\n- PK: `SESSION#<sessionId>`\n- SK: `SESSION`\n- TTL: expiresAt{remark}\n"
        )
    };
    for remark in [" (ISO timestamp)", " (ms since 1970)", " (a string)"] {
        assert_eq!(spoken(&design(remark)), ["ttl-not-epoch-seconds"], "{remark}");
    }
    for remark in ["", " (epoch seconds)", " (number)"] {
        assert_eq!(spoken(&design(remark)), [] as [&str; 0], "{remark}");
    }
}

#[test]
fn a_tie_is_broken_by_what_tells_items_apart_in_the_table() {
    let design = "# Table Design\n| Entity | PK | SK | GSI1PK | GSI1SK |\n|---|---|---|---|---|\n\
        | Order | `USER#<userId>` | `ORDER#<orderNo:pad10>` | `SHOP#<shopId>` | `ORDER#<placedAt:iso>` |\n\n\
        ### Order\n- Attributes: userId (ulid), shopId (ulid), orderNo (integer), placedAt (datetime)\n";
    let read = keywright_document::read_table_design(design);
    let judged = keywright_lint::designs(&read.design, &read.source, None);
    let finding = judged.iter().find(|it| it.rule.name() == "missing-tie-breaker").unwrap();
    let (edits, _) = keywright_finding::Edits::of_fixes(finding.fix.as_ref());
    assert_eq!(
        edits.apply(design).unwrap(),
        design.replace("`ORDER#<placedAt:iso>`", "`ORDER#<placedAt:iso>#<orderNo:pad10>`")
    );
}

#[test]
fn a_write_that_becomes_many_is_priced_where_its_rate_is_known() {
    let mut patterns = String::from("## Entities\n");
    let mut design = String::from("# Table Design\n| Entity | PK | SK |\n|---|---|---|\n");
    let mut actions = Vec::new();
    for n in 1..=8 {
        patterns.push_str(&format!("### Copy{n}\n- Attributes: `id{n}` (ulid, id)\n"));
        design.push_str(&format!("| Copy{n} | `C{n}#<id{n}>` | `C{n}#<id{n}>` |\n"));
        actions.push(format!("{n}. Put Copy{n}"));
    }
    patterns.push_str("## Access Patterns\n### Writes\n| ID | Entity | Description | Input Parameters | Items Written | Transaction | Rate |\n|---|---|---|---|---|---|---|\n| AP-001 | Copy1 | Create copies | - | Copy1 | Yes | 10/s |\n");
    design.push_str(&format!(
        "\n| AP ID | Description | Operation | Items | Conditions |\n|---|---|---|---|---|\n| AP-001 | Create copies | TransactWriteItems | {} | - |\n",
        actions.join(" ")
    ));
    let model = keywright_document::read_access_patterns(&patterns).0;
    let read = keywright_document::read_table_design(&design);
    let said = |model| {
        let judged = keywright_lint::designs(&read.design, &read.source, model);
        let finding = judged.into_iter().find(|it| it.rule.name() == "write-amplification").unwrap();
        finding.message
    };
    let units = "AP-001 writes 8 items and 0 index entries: 16 write units each time";
    assert_eq!(said(None), units);
    // 160 write units a second, 730 hours, 0.625 dollars per million.
    assert_eq!(said(Some(&model)), format!("{units}, $262.80 a month at the pattern's rate"));
}
