//! Volumes that running text tells beside the entities: "About 50k tutors and 400k students", "Each clinic has ~8 dentists".

use keywright_model::At;

use super::{fan_out, per};
use crate::access_patterns::entities::Draft;
use crate::access_patterns::names::{Domain, tokens};
use crate::access_patterns::outline::{Section, Topic};
use crate::access_patterns::quantity::quantity;
use crate::access_patterns::relationships::Relationships;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::{Block, Page, Phrase};

/// Reads what the text above and between the entities says of their numbers; what an entity says itself wins.
pub(in crate::access_patterns) fn told(
    drafts: &mut [Draft<'_>],
    sections: &[Section<'_>],
    page: &Page,
    domain: &Domain<'_>,
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let about = |it: &&Section<'_>| matches!(it.topic, Topic::Preamble | Topic::Overview | Topic::Entities);
    for block in sections.iter().filter(about).flat_map(|section| section.blocks) {
        let Block::Paragraph(words) = block else { continue };
        for sentence in page.phrase(*words).sentences() {
            read_sentence(sentence, drafts, domain, relationships, remarks);
        }
    }
}

fn read_sentence(
    sentence: Phrase<'_>,
    drafts: &mut [Draft<'_>],
    domain: &Domain<'_>,
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let parent = owner(sentence, domain);
    for piece in pieces(sentence) {
        let Some((amount, rest)) = quantity(piece) else { continue };
        if per(rest.as_str()).is_some() {
            continue;
        }
        let [(entity, noun)] = domain.mentions(rest)[..] else { continue };
        // "300 clinics", not "300 rooms in our clinics".
        if tokens(rest).next().is_none_or(|first| first.span().start != noun.span().start) {
            continue;
        }
        match parent {
            Some(parent) if parent != entity => {
                let (parent, child) = (&domain.entities[parent], &domain.entities[entity]);
                fan_out(parent, child, amount, piece, relationships, remarks);
            }
            Some(_) => {}
            None if drafts[entity].entity.count.is_none() && !amount.capped => {
                remarks.assume(
                    piece.span(),
                    format!("read \"{}\" as the number of {}", piece.as_str(), domain.entities[entity].name),
                    format!("write `~{} total` under its Cardinality", amount.mean),
                );
                drafts[entity].entity.count = Some(At::assumed(amount.mean, piece.span()));
            }
            None => {}
        }
    }
}

/// The entity of which a sentence says how many of others each has: "**A tutor** has ~200 lessons".
fn owner(sentence: Phrase<'_>, domain: &Domain<'_>) -> Option<usize> {
    let words: Vec<Phrase<'_>> = tokens(sentence).collect();
    let first = words.first()?;
    let one = ["a", "an", "each", "every", "one", "the"].iter().any(|it| first.is(it));
    let (entity, _) = *domain.mentions(sentence).first()?;
    let owns = ["has", "have", "holds", "contains", "gets", "owns", "takes", "makes", "writes", "keeps"];
    (one && words.iter().take(5).any(|word| owns.iter().any(|it| word.is(it)))).then_some(entity)
}

/// "50k tutors", "400k students" of "About 50k tutors and 400k students".
fn pieces(sentence: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = sentence.as_str();
    let parts = text.split(" and ").flat_map(|part| part.split(", "));
    parts.map(|part| sentence.part(part).trim()).filter(|part| !part.is_empty()).collect()
}
