//! Designs as people write them: what they say becomes code that runs, and what they leave out is a finding.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_generate::{File, Options, RULES, Source, generate, target};

fn generated(document: &str) -> Result<Vec<File>, Vec<String>> {
    let design = keywright_document::read_table_design(document).design;
    let source = Source { model: None, design: &design, document: "table-design.md" };
    generate(target("typescript").unwrap(), &source, &Options::default())
        .map_err(|findings| findings.iter().map(|finding| finding.message.clone()).collect())
}

const BLOG: &str = "# DynamoDB Table Design

## Table Configuration
| Property | Value |
|---|---|
| Table Name | `Blog` |
| Partition Key | `pk` (String) |
| Sort Key | `sk` (String) |

## Entity Key Design

### Post
- **PK**: `BLOG#<blogId>`
- **SK**: `POST#<postId>`
- **Attributes**: `blogId` (string), `postId` (string), `likes` (integer), `note` (string, optional)

## Access Pattern Mapping

### Writes
| AP ID | Description | Operation | Items | Conditions |
|---|---|---|---|---|
| AP-001 | Save a post | PutItem | 1. Put Post | |
";

#[test]
fn a_put_and_no_more_puts_the_whole_item() {
    let files = generated(BLOG).unwrap();
    let code = &files.iter().find(|file| file.path.ends_with("repositories.ts")).unwrap().text;
    for line in [
        "readonly blogId: string;",
        "readonly likes: number;",
        "readonly note?: string | undefined;",
        r#"["likes", runtime.given("likes")]"#,
    ] {
        assert!(code.contains(line), "{line}\n{code}");
    }
}

#[test]
fn a_put_that_lacks_a_part_of_its_key_is_refused() {
    let document = BLOG.replace("Put Post |", "Put Post SET blogId = :blogId |");
    assert_eq!(
        generated(&document).unwrap_err(),
        ["AP-001 puts Post without `postId`, which its key is built from"]
    );
}

#[test]
fn the_examples_of_incomplete_operations_do_what_their_page_says() {
    let rule = RULES.iter().find(|rule| rule.name() == "incomplete-operation").unwrap();
    let examples = rule.examples();
    assert_eq!((examples.fails.len(), examples.passes.len()), (2, 2));
    for example in &examples.fails {
        assert_eq!(generated(example).unwrap_err().len(), 1, "{example}");
    }
    for example in &examples.passes {
        assert!(generated(example).is_ok(), "{example}");
    }
}
