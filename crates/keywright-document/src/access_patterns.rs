//! Reading an access-patterns document: Markdown, as people write it, into a Model and findings.
//!
//! The stages, each in its file: the outline of sections; the header; entities with their attributes; what diagrams
//! add; relationships, volumes and lifecycles from prose; identifiers and references that are inferred; then the tables of patterns,
//! whose words are resolved against all that. A name that nothing declares stays in the Model as it is written, so that
//! a rule can speak of it.

mod attribute;
mod cardinality;
mod cell;
mod collections;
mod columns;
mod conditions;
mod description;
mod diagram;
mod effects;
mod entities;
mod expiry;
mod frequency;
mod glimpse;
mod greatest;
mod header;
mod identity;
mod inputs;
mod lifecycle;
mod links;
mod mutability;
mod names;
mod outline;
mod patterns;
mod quantity;
mod references;
mod relationships;
mod remarks;
mod sequences;
mod sort;
mod states;
mod undeclared;
mod verbs;
mod versions;

use keywright_finding::{Finding, Level, Span};
use keywright_model::Model;
use keywright_model::model::{Cardinality, Entity, Relationship};

use crate::markdown::{self, Blocks, Excess, ExcessKind};
use crate::rules::{CONTRADICTING_DIAGRAM, IGNORED_SECTION, OVERSIZED_DOCUMENT};

use names::Domain;
use outline::{Section, Topic, outline};
use relationships::Relationships;
use remarks::Remarks;

/// Reads an access-patterns document. Any text gives a Model and findings, in time linear in its length.
///
/// ```
/// let (model, findings) = keywright_document::read_access_patterns(
///     "## Entities\n### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `title` (string)\n\
///      ## Access Patterns\n### Reads\n\
///      | ID | Entity | Description | Input Parameters | Result |\n|---|---|---|---|---|\n\
///      | AP-001 | Song | Find songs by title | titlePrefix | Collection |\n",
/// );
/// assert_eq!(model.patterns[0].inputs()[0].binds[0].to_string(), "Song.title");
/// assert_eq!(findings[0].message, "read \"titlePrefix\" as a prefix of Song.title");
/// ```
#[must_use]
pub fn read_access_patterns(source: &str) -> (Model, Vec<Finding>) {
    let blocks = markdown::read(source);
    let page = &blocks.page;
    let mut remarks = Remarks::default();
    let mut model = Model::default();
    if let Some(excess) = blocks.excess {
        report_excess(excess, &mut remarks);
    }
    let sections = outline(&blocks);
    for section in sections.iter().filter(|section| section.topic == Topic::Preamble) {
        header::read(section.blocks, page, &mut model, &mut remarks);
    }
    report_ignored(&sections, &mut remarks);

    (model.entities, model.relationships) = read_domain(&blocks, &sections, &mut remarks);

    let domain = Domain::new(&model.entities);
    let mut patterns = patterns::read(&sections, page, &domain, &mut remarks);
    model.collections = collections::read(&sections, page, &domain);
    mutability::from_patterns(&mut model.entities, &patterns, &mut remarks);
    versions::keep(&model.entities, &mut patterns);
    greatest::report(&model.entities, &patterns, &mut remarks);
    model.patterns = patterns;
    effects::tell_apart(&mut model, &mut remarks);

    if model.entities.is_empty() && model.patterns.is_empty() && !source.trim().is_empty() {
        remarks.report(
            Finding::new(
                &IGNORED_SECTION,
                Span::at(0),
                "this document declares no entities and no access patterns",
            )
            .level(Level::Warning)
            .help("write headings: below `## Entities` a list such as `- **Song** (songId, title)`, and below `## Access Patterns` one such as `- List songs of a user, newest first`, or a table with the columns ID, Entity, Description and Input Parameters"),
        );
    }
    if model.entities.is_empty() && !model.patterns.is_empty() {
        let section = sections.iter().find(|section| section.topic == Topic::Entities);
        remarks.report(
            Finding::new(
                &IGNORED_SECTION,
                section.map_or(Span::at(0), |section| section.span),
                "this document declares no entities for its patterns to read and write",
            )
            .level(Level::Warning)
            .help("write a heading for each entity below `## Entities`, such as `### Song`, and below it a list of its attributes, such as `- songId: ulid, id`"),
        );
    }
    let (findings, assumptions) = remarks.finished();
    model.assumptions = assumptions;
    (model, findings)
}

/// What the document is about: entities and how they belong together, as stated, drawn and inferred.
fn read_domain(
    blocks: &Blocks,
    sections: &[Section<'_>],
    remarks: &mut Remarks,
) -> (Vec<Entity>, Vec<Relationship>) {
    let mut drafts = entities::read(sections, &blocks.page, remarks);
    let diagram = diagram::read(blocks, remarks);
    diagram::declare(&diagram, &mut drafts, remarks);
    if drafts.is_empty() {
        undeclared::declare(sections, &blocks.page, &mut drafts, remarks);
    }
    drafts.iter_mut().for_each(entities::Draft::part_maps);
    lifecycle::read(&mut drafts, remarks);
    expiry::in_seconds(&mut drafts, remarks);
    identity::stated(&mut drafts, remarks);
    identity::from_names(&mut drafts, remarks);
    references::from_names(&mut drafts, remarks);
    diagram::refer(&diagram, &mut drafts, remarks);
    sequences::share(&mut drafts, remarks);

    let known: Vec<_> = drafts.iter().map(|draft| draft.entity.clone()).collect();
    let domain = Domain::new(&known);
    let mut relationships = Relationships::from_diagrams(diagram::relate(&diagram, &domain));
    for relationship in relationships::read(&drafts, sections, &blocks.page, &domain) {
        if relationship.assumed && relationships.between(&relationship.parent, &relationship.child).is_none()
        {
            remarks.assume(
                relationship.span,
                format!("read {} as belonging to {}", relationship.child, relationship.parent),
                "it is named without a verb; write `Belongs to a …`, `Has one …` or `Has many …`",
            );
        }
        if let Some((drawn, stated)) = relationships.state(relationship) {
            report_contradiction(drawn, &stated, remarks);
        }
    }
    cardinality::read(&mut drafts, &domain, &mut relationships, remarks);
    cardinality::told(&mut drafts, sections, &blocks.page, &domain, &mut relationships, remarks);
    links::declare(&mut drafts, sections, &blocks.page, &domain, &mut relationships, remarks);

    identity::from_lookups(&mut drafts, sections, &blocks.page, remarks);
    identity::from_references(&mut drafts, relationships.all(), remarks);
    references::complete(&mut drafts);
    references::relate(&drafts, &mut relationships, remarks);
    references::carry(&mut drafts, &mut relationships, remarks);
    // What was only said to belong to two others has their references now.
    identity::from_references(&mut drafts, relationships.all(), remarks);
    references::bound(&mut drafts, &mut relationships, remarks);
    versions::declare(&mut drafts, &mut relationships, remarks);
    (entities::finished(drafts), relationships.finished())
}

/// The diagram wins over prose, but not in silence.
fn report_contradiction(drawn: &Relationship, stated: &Relationship, remarks: &mut Remarks) {
    let show = |it: &Relationship| {
        let many = |many: bool| if many { "many" } else { "one" };
        let (one, other) = match it.cardinality.value {
            Cardinality::OneToOne => (false, false),
            Cardinality::OneToMany => (false, true),
            Cardinality::ManyToMany => (true, true),
        };
        format!("{} {} to {} {}", many(one), it.parent, many(other), it.child)
    };
    remarks.report(
        Finding::new(
            &CONTRADICTING_DIAGRAM,
            stated.span,
            format!("this says {}, but the diagram says {}; the diagram is used", show(stated), show(drawn)),
        )
        .help("say the same in both places")
        .related(drawn.span, "the diagram's line"),
    );
}

fn report_excess(excess: Excess, remarks: &mut Remarks) {
    let (message, help) = match excess.kind {
        ExcessKind::Length => (
            format!("the document is longer than {} MB and was not read", markdown::LONGEST_DOCUMENT >> 20),
            "split it into several documents",
        ),
        ExcessKind::Nesting => (
            format!(
                "{} are nested deeper than {} levels and were not read",
                if excess.lines == 1 {
                    "lists or quotes on 1 line".to_owned()
                } else {
                    format!("lists or quotes on {} lines", excess.lines)
                },
                markdown::DEEPEST_NESTING
            ),
            "a list of attributes needs two levels, a nested attribute one more for each part of its name",
        ),
    };
    remarks.report(Finding::new(&OVERSIZED_DOCUMENT, excess.span, message).help(help));
}

/// Sections that the format does not know are kept, and said to change nothing.
fn report_ignored(sections: &[Section<'_>], remarks: &mut Remarks) {
    for section in sections {
        if section.topic == Topic::Unknown
            && !section.nested_in_unknown
            && let Some(title) = section.title
        {
            let span = if title.is_empty() { Span::at(section.span.start) } else { title.span() };
            remarks.report(
                Finding::new(&IGNORED_SECTION, span, format!("the section `{}` is not read", title.as_str()))
                    .help("it has no effect on the design"),
            );
        }
    }
}
