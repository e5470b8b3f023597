//! What stands around the words: sections, comments, front matter.

use keywright_document::read_access_patterns;

use crate::forms::music::{MUSIC, read};

#[test]
fn a_document_without_anything_to_read_says_so() {
    let (_, findings) = read_access_patterns("# Read me\n\nThis is about something else.\n");
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].message.starts_with("this document declares no entities and no access patterns"),
        "{}",
        findings[0].message
    );
    assert_eq!(read_access_patterns(" \n").1, []);
}

#[test]
fn places_are_those_of_the_words() {
    let source = "\u{feff}## Entities\r\n### Söng\r\n- **Attributes**:\r\n  - `söngId` (ulid, id)\r\n";
    let model = read(source);
    let song = &model.entities[0];
    assert_eq!(song.span.of(source), "Söng");
    assert_eq!(song.attributes[0].span.of(source), "söngId");
    assert_eq!(song.attributes[0].ty.span.of(source), "ulid");
}

#[test]
fn comments_and_front_matter_are_no_words() {
    let model = read(
        "---\napplication: Shop\n---\n<!-- a remark -->\n## Entities\n### Song <!-- b -->\n<!-- c -->\n- **Attributes**:\n\
         \x20 <!-- d -->\n  - `songId` (ulid, id) <!-- e -->\n",
    );
    assert_eq!(model.application.as_ref().map(|it| it.value.as_str()), Some("Shop"));
    assert_eq!(model.entities[0].name, "Song");
    assert_eq!(model.entities[0].attributes.len(), 1);
    assert_eq!(model.entities[0].attributes[0].description, None);
}

#[test]
fn bold_lines_are_headings_where_they_say_what_headings_say() {
    let plain = "# Shop\n## Entities\n### Song\n- Attributes:\n  - `songId` (ulid, id)\n### User\n- Attributes:\n  - `userId` (ulid, id)\n\n## Access Patterns\n### Reads\n| ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n| AP-001 | Song | Get | songId | Single |\n\n### Deletes\n| ID | Entity | Description | Input Parameters | Items Deleted |\n|---|---|---|---|---|\n| AP-002 | Song | Song away | songId | Song |\n";
    let bold = plain
        .replace("### Song", "**Song**\n")
        .replace("### User", "\n**User:**\n")
        .replace("### Reads", "**Reads**\n")
        .replace("### Deletes", "**Deletes**:\n");
    let shape = |source: &str| {
        let model = read(source);
        let entities: Vec<_> =
            model.entities.iter().map(|it| (it.name.clone(), it.attributes.len())).collect();
        let patterns: Vec<_> = model
            .patterns
            .iter()
            .map(|it| (it.id.clone(), it.read().is_some(), it.write().map(|it| it.effects[0].action.clone())))
            .collect();
        (entities, patterns)
    };
    assert_eq!(shape(&bold), shape(plain));
    let model = read(
        "# Shop\n## Entities\n### Song\n**Read this**\n\n- Attributes:\n  - `songId` (ulid, id)\n\n**Attributes**\n\n- `title` (string)\n",
    );
    let names: Vec<_> = model.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Song"]);
}

/// What the reader says of ignored parts of a document.
fn ignored(source: &str) -> Vec<String> {
    let (_, findings) = keywright_document::read_access_patterns(source);
    findings
        .into_iter()
        .filter(|it| it.rule == &keywright_document::IGNORED_SECTION)
        .map(|it| it.message)
        .collect()
}

#[test]
fn patterns_that_are_not_read_are_not_passed_over() {
    assert_eq!(
        ignored(&format!(
            "{MUSIC}## Writes\n| ID | Entity | Description |\n|---|---|\n| AP-001 | Song | Create a song |\n"
        )),
        ["Markdown sees no table here, so no access patterns are read from these rows"]
    );
    assert_eq!(
        ignored(&format!(
            "{MUSIC}## Access Patterns\n### Reads\n| Id | Entity | Inputs |\n|---|---|---|\n| AP-001 | Song | songId |\n"
        )),
        ["this table has no column `Description`, so no access patterns are read from it"]
    );
}
