//! What verbs make or end that are no creates and deletes of their object: who joins a team makes a membership, who books a
//! room makes a booking, and who leaves a team deletes no team.

use keywright_finding::{Finding, Level};
use keywright_model::model::Type;

use super::row::{Named, Row};
use super::subject::selects;
use crate::access_patterns::effects::moved_number;
use crate::access_patterns::names::{fold, one, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::verbs::{Verb, acting_word, is_form_of, verb_of};
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// Verbs that tie somebody to their object, or end that.
const TIES: &[&str] = &[
    "join",
    "follow",
    "like",
    "star",
    "watch",
    "subscribe",
    "enroll",
    "enrol",
    "favorite",
    "favourite",
    "bookmark",
    "leave",
    "quit",
    "unfollow",
    "unlike",
    "unstar",
    "unwatch",
    "unsubscribe",
    "unenroll",
    "unenrol",
    "unbookmark",
    "unfavorite",
    "unfavourite",
];

/// Verbs for what somebody gets that is there already, or that comes to be: a room, an appointment.
const ACQUIRES: &[&str] = &["book", "rent", "borrow", "lend", "hire", "buy", "purchase"];

impl<'p> Row<'_, 'p> {
    /// The entity that such a verb makes or ends; none where its object is meant, or the verb is another.
    pub(super) fn meant(
        &self,
        told: Phrase<'p>,
        mentions: &[(usize, Phrase<'p>)],
        remarks: &mut Remarks,
    ) -> Option<Named<'p>> {
        let acting = acting_word(told, self.domain)?;
        let does = verb_of(told, Some(self.domain))?;
        if let Some(assigned) = self.assigned_to(acting, mentions) {
            return Some(assigned);
        }
        let lower = acting.as_str().to_lowercase();
        let is = |list: &[&str]| list.iter().any(|stem| is_form_of(&lower, stem));

        let changes = matches!(does, Verb::Create | Verb::Delete | Verb::Put);
        let objects: Vec<(usize, Phrase<'p>)> =
            mentions.iter().copied().filter(|(_, words)| words.span().start > acting.span().start).collect();
        let (object, words) = *objects.first().filter(|_| changes)?;
        // "Add points to an entry" makes nothing.
        if moved_number(told, object, self.domain).is_some() {
            return None;
        }
        // "Reply to a comment" makes a Reply, "like a post" a Like.
        if let Some(own) = self.domain.find(&lower).filter(|own| *own != object && self.refers(*own, object))
        {
            return Some((words, Some(own)));
        }
        // "Prescribe a drug to a patient" makes no patient.
        let signs_in = signs_in(told);
        let indirect = does == Verb::Create && selects(told, words) && !signs_in;
        // Who leaves a review makes it; who leaves a team ends something else.
        let makes = does == Verb::Create && is(&["leave"]);
        let (ties, acquires) = (is(TIES) && !makes || indirect || signs_in, is(ACQUIRES));
        if !ties && !acquires {
            return None;
        }
        let others = |it: &usize| objects.iter().all(|(other, _)| other != it);
        let referring: Vec<usize> = (0..self.domain.entities.len())
            .filter(others)
            .filter(|it| objects.iter().all(|(to, _)| self.refers(*it, *to)))
            .collect();
        let stem = fold(lower.strip_prefix("un").unwrap_or(&lower));
        let stem = &stem[..stem.len().min(6)];
        let called: Vec<usize> = referring
            .iter()
            .copied()
            .filter(|it| {
                let name = fold(&self.domain.entities[*it].name);
                let session = || ["session", "login", "token"].iter().any(|word| name.contains(word));
                if signs_in { session() } else { name.starts_with(stem) }
            })
            .collect();
        let links: Vec<usize> = referring.iter().copied().filter(|it| self.is_link(*it)).collect();
        let only = |list: &[usize]| if let [only] = list { Some(*only) } else { None };
        if let Some(meant) = only(&called).or_else(|| only(&links)) {
            return Some((words, Some(meant)));
        }
        // What has a time of its own, or points to several, comes to be itself: "book an appointment".
        let declared = &self.domain.entities[object];
        let references = declared.attributes.iter().filter(|it| it.reference.is_some()).count();
        let happens = references > 1 || declared.attributes.iter().any(|it| it.ty.value == Type::Datetime);
        if acquires && (referring.is_empty() || happens) {
            return None;
        }
        if (acquires || indirect)
            && let Some(meant) = only(&referring)
        {
            return Some((words, Some(meant)));
        }
        let stored = |it: &usize| self.domain.entities[*it].name.as_str();
        let several: Vec<&str> = referring.iter().map(stored).collect();
        let why = if several.is_empty() {
            "no entity keeps".to_owned()
        } else {
            format!("{} may keep", several.join(" or "))
        };
        remarks.report(
            Finding::new(
                &UNREADABLE_CELL,
                acting.span(),
                format!("\"{}\" makes or deletes no {} itself, and {why} what it does", told.as_str(), declared.name),
            )
            .level(Level::Error)
            .help(format!(
                "say in parentheses what happens, such as `(create Membership)`, where that entity holds what identifies {}",
                one(&declared.name)
            )),
        );
        None
    }

    /// "Assign a trainer to a class" changes the class, where that holds its trainer.
    fn assigned_to(&self, acting: Phrase<'p>, mentions: &[(usize, Phrase<'p>)]) -> Option<Named<'p>> {
        let [(given, _), (holder, words)] = mentions else { return None };
        let assigns = acting.as_str().to_lowercase().contains("assign");
        let holds = self.refers(*holder, *given) && !self.refers(*given, *holder);
        (assigns && holds).then_some((*words, Some(*holder)))
    }

    fn refers(&self, from: usize, to: usize) -> bool {
        let (own, target) = (&self.domain.entities[from], &self.domain.entities[to]);
        let mut references = own.attributes.iter().filter_map(|it| it.reference.as_ref());
        // A stay holds the hotel and the number of its room.
        let holds = target.identity.len() > 1
            && target.identity_names().all(|it| self.domain.attribute(from, it).is_some());
        references.any(|it| it.value.entity == target.name) || from != to && holds
    }

    /// Whether what identifies an entity are references to others.
    fn is_link(&self, entity: usize) -> bool {
        let declared = &self.domain.entities[entity];
        let points = |name: &str| declared.attribute(name).is_some_and(|it| it.reference.is_some());
        declared.identity.len() > 1 && declared.identity_names().all(points)
    }
}

/// Whether somebody signs in or out: that makes or ends a session, and nobody.
fn signs_in(told: Phrase<'_>) -> bool {
    let mut words = tokens(told);
    let (first, next) = (words.next(), words.next());
    let is =
        |word: Option<Phrase<'_>>, list: &[&str]| word.is_some_and(|word| list.iter().any(|it| word.is(it)));
    is(first, &["log", "sign"]) && is(next, &["in", "on", "out", "off"])
}
