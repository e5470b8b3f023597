//! Names as people write them: case, spaces, punctuation and plurals make no difference.

use std::collections::BTreeMap;

use keywright_model::model::{Attribute, AttributeRef, Entity};

use crate::markdown::Phrase;

use super::sort::creation;
use super::verbs::verb;

pub(super) use crate::folding::fold;

/// The words of a name in lower case: `createdAt` and `created_at` are `created` and `at`.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for next in name.chars() {
        if next.is_alphanumeric() {
            if !before.is_alphanumeric() || (next.is_uppercase() && before.is_lowercase()) {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(next.to_lowercase());
            }
        }
        before = next;
    }
    words
}

/// The other forms in which a folded name may be written: its plural, or its singular where it is declared in the plural.
fn numbers(declared: &str) -> impl Iterator<Item = String> {
    let plural = [
        Some(format!("{declared}s")),
        Some(format!("{declared}es")),
        declared.strip_suffix('y').map(|it| format!("{it}ies")),
        // "Quizzes"
        declared.ends_with('z').then(|| format!("{declared}zes")),
    ];
    let singular = [
        declared.strip_suffix('s').map(str::to_owned),
        declared.strip_suffix("es").map(str::to_owned),
        declared.strip_suffix("ies").map(|it| format!("{it}y")),
        declared.strip_suffix("zes").filter(|it| it.ends_with('z')).map(str::to_owned),
    ];
    // A membership is what a member has.
    let holder = declared
        .strip_suffix("ship")
        .into_iter()
        .flat_map(|it| [Some(it.to_owned()), Some(format!("{it}s"))]);
    // One letter, or none, is no name but may be any word.
    plural.into_iter().chain(singular).chain(holder).flatten().filter(|form| form.len() > 1)
}

/// The entities read so far, found by their names.
pub(super) struct Domain<'m> {
    pub(super) entities: &'m [Entity],
    by_name: BTreeMap<String, usize>,
    /// Last words of names that only one entity has and that mean nothing else: a task, of `PickTask`.
    by_last_word: BTreeMap<String, usize>,
    attributes: Vec<BTreeMap<String, usize>>,
    /// The entities that declare an attribute of a folded name.
    owners: BTreeMap<String, Vec<usize>>,
    /// For each entity, the attributes that point elsewhere, by the folded names under which a caller may give them.
    pointers: Vec<BTreeMap<String, usize>>,
    /// For each entity, the attribute that tells when an item came to be.
    creations: Vec<Option<&'m Attribute>>,
    longest: usize,
}

impl<'m> Domain<'m> {
    pub(super) fn new(entities: &'m [Entity]) -> Self {
        let mut by_name = BTreeMap::new();
        for (index, entity) in entities.iter().enumerate() {
            let folded = fold(&entity.name);
            if !folded.is_empty() {
                by_name.entry(folded).or_insert(index);
            }
        }
        // A declared name always means its own entity.
        for (index, entity) in entities.iter().enumerate() {
            for form in numbers(&fold(&entity.name)) {
                by_name.entry(form).or_insert(index);
            }
        }
        let mut owners: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let attributes = entities
            .iter()
            .enumerate()
            .map(|(owner, entity)| {
                let mut names = BTreeMap::new();
                for (index, attribute) in entity.attributes.iter().enumerate() {
                    names.entry(fold(&attribute.name)).or_insert(index);
                }
                // A version has the attributes of the item whose it is: a plain name means the item's.
                for name in names.keys().filter(|_| entity.versions_of.is_none()) {
                    owners.entry(name.clone()).or_default().push(owner);
                }
                names
            })
            .collect();
        let pointers = entities.iter().map(pointers).collect();
        let creations = entities.iter().map(came_to_be).collect();
        let longest = entities.iter().map(|entity| parts(&entity.name).len()).max().unwrap_or(0).min(5);
        let by_last_word = last_words(entities, &by_name, &owners);
        Domain { entities, by_name, by_last_word, attributes, owners, pointers, creations, longest }
    }

    /// The entity that a name means, in any case and number.
    pub(super) fn find(&self, written: &str) -> Option<usize> {
        self.by_name.get(&fold(written)).copied()
    }

    /// The entity that a word of prose means: by its name, or by the last word of it.
    pub(super) fn meant_by(&self, word: &str) -> Option<usize> {
        let folded = fold(word);
        self.by_name.get(&folded).or_else(|| self.by_last_word.get(&folded)).copied()
    }

    /// The declared name of the entity that a name means, or the name itself.
    pub(super) fn declared(&self, written: &str) -> String {
        self.find(written).map_or_else(|| written.to_owned(), |index| self.entities[index].name.clone())
    }

    /// The attribute of an entity that a name means.
    pub(super) fn attribute(&self, entity: usize, written: &str) -> Option<&'m Attribute> {
        let index = *self.attributes[entity].get(&fold(written))?;
        Some(&self.entities[entity].attributes[index])
    }

    /// The attribute of an entity that a name means, with that entity's name.
    pub(super) fn reference(&self, entity: usize, written: &str) -> Option<AttributeRef> {
        let attribute = self.attribute(entity, written)?;
        Some(AttributeRef::new(&self.entities[entity].name, &attribute.name))
    }

    /// The members of a map by the map's name: `address.street` and `address.country` of `address`.
    pub(super) fn members(&self, entity: usize, map: &str) -> Vec<AttributeRef> {
        let declared = &self.entities[entity];
        let begins = format!("{}.", map.to_lowercase());
        let members = declared.attributes.iter().filter(|it| it.name.to_lowercase().starts_with(&begins));
        members.map(|it| AttributeRef::new(&declared.name, &it.name)).collect()
    }

    /// The attribute of a name that only one entity has.
    pub(super) fn only_owner(&self, written: &str) -> Option<AttributeRef> {
        match self.owners(written) {
            [owner] => self.reference(*owner, written),
            _ => None,
        }
    }

    /// The entities that have an attribute of a name. Of versions and the item whose they are, it is the item.
    pub(super) fn owners(&self, written: &str) -> &[usize] {
        self.owners.get(&fold(written)).map_or(&[], Vec::as_slice)
    }

    /// The attribute of an entity that points to another under a folded name: `customerId`, `customerid`.
    pub(super) fn pointer(&self, entity: usize, folded: &str) -> Option<&'m Attribute> {
        self.pointers[entity].get(folded).map(|index| &self.entities[entity].attributes[*index])
    }

    /// The one entity that attributes of a folded name point to.
    pub(super) fn pointed_at(&self, folded: &str) -> Option<usize> {
        let owners = self.owners(folded).iter();
        let mut targets = owners.filter_map(|owner| {
            let attribute = self.attribute(*owner, folded)?;
            self.find(&attribute.reference.as_ref()?.value.entity)
        });
        let first = targets.next()?;
        targets.all(|other| other == first).then_some(first)
    }

    /// The attribute of a link through which an entity is found by another's identifier: of all entities that belong to
    /// this one, the only one that is identified by both.
    pub(super) fn through(&self, entity: usize, written: &str) -> Option<AttributeRef> {
        let folded = fold(written);
        let points_here = |attribute: &Attribute| {
            let reference = attribute.reference.as_ref();
            reference.is_some_and(|it| it.value.entity == self.entities[entity].name)
        };
        let mut links = self.entities.iter().enumerate().filter_map(|(link, other)| {
            let parts = || other.identity_names().filter_map(|name| other.attribute(name));
            let given = parts().find(|it| {
                !points_here(it)
                    && it.reference.is_some()
                    && (fold(&it.name) == folded
                        || self.pointer(link, &folded).is_some_and(|pointer| pointer.name == it.name))
            })?;
            let ties = link != entity && parts().any(points_here);
            ties.then(|| AttributeRef::new(&other.name, &given.name))
        });
        links.next().filter(|_| links.next().is_none())
    }

    /// The entity that is identified by these two and nothing else: the link between them.
    pub(super) fn link(&self, one: usize, other: usize) -> Option<&'m str> {
        let ends = [&self.entities[one].name, &self.entities[other].name];
        let links = |entity: &&Entity| {
            let targets: Option<Vec<&String>> = entity
                .identity_names()
                .map(|name| Some(&entity.attribute(name)?.reference.as_ref()?.value.entity))
                .collect();
            targets.is_some_and(|targets| {
                ends.iter().all(|end| targets.contains(end)) && targets.iter().all(|it| ends.contains(it))
            })
        };
        self.entities.iter().find(links).map(|entity| entity.name.as_str())
    }

    /// The attribute that tells when an item of an entity came to be.
    pub(super) fn creation(&self, entity: usize) -> Option<&'m Attribute> {
        self.creations[entity]
    }

    /// Whether the attribute is part of what identifies the entity.
    pub(super) fn identifies(&self, entity: usize, attribute: &str) -> bool {
        self.entities[entity].identity_names().any(|name| name == attribute)
    }

    /// The entity that follows a "per": one that the words name, or else the only one that they name in short, by the last
    /// word of its name or by its identifier: "per class" of `GymClass`, or of what `classId` identifies.
    pub(super) fn counted_by(&self, words: Phrase<'_>) -> Option<usize> {
        let named = self.mentions(words).first().map(|(entity, _)| *entity);
        named.or_else(|| tokens(words).find_map(|word| self.in_short(word.as_str())))
    }

    fn in_short(&self, word: &str) -> Option<usize> {
        let forms: Vec<String> = std::iter::once(fold(word)).chain(numbers(&fold(word))).collect();
        let is_meant = |entity: &Entity| {
            let last = parts(&entity.name).pop();
            let identifier = || match entity.identity.as_slice() {
                [only] => fold(&only.value).strip_suffix("id").map(str::to_owned),
                _ => None,
            };
            last.is_some_and(|it| forms.contains(&it)) || identifier().is_some_and(|it| forms.contains(&it))
        };
        let mut meant = (0..self.entities.len()).filter(|at| is_meant(&self.entities[*at]));
        meant.next().filter(|_| meant.next().is_none())
    }

    /// The entities that prose names, in order, with the words that name them.
    pub(super) fn mentions<'p>(&self, prose: Phrase<'p>) -> Vec<(usize, Phrase<'p>)> {
        let words: Vec<Phrase<'p>> = tokens(prose).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let hit = (1..=self.longest.min(words.len() - at)).rev().find_map(|count| {
                let phrase = join(prose, &words[at..at + count]);
                self.meant_by(phrase.as_str()).map(|entity| (entity, phrase, count))
            });
            match hit {
                Some((entity, phrase, count)) => {
                    found.push((entity, phrase));
                    at += count;
                }
                None => at += 1,
            }
        }
        found
    }
}

/// The last words of names by which prose may mean an entity, in both numbers.
fn last_words(
    entities: &[Entity],
    by_name: &BTreeMap<String, usize>,
    owners: &BTreeMap<String, Vec<usize>>,
) -> BTreeMap<String, usize> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, entity) in entities.iter().enumerate() {
        let mut words = parts(&entity.name);
        if let (Some(last), false) = (words.pop(), words.is_empty()) {
            let plurals = numbers(&last).filter(|form| form.len() > last.len());
            for form in plurals.chain([last.clone()]) {
                found.entry(form).or_default().push(index);
            }
        }
    }
    let plain =
        |word: &str| !by_name.contains_key(word) && !owners.contains_key(word) && verb(word).is_none();
    found
        .into_iter()
        .filter(|(word, of)| of.len() == 1 && plain(word))
        .map(|(word, of)| (word, of[0]))
        .collect()
}

/// The attribute that tells when an item came to be: of a version, its number.
fn came_to_be(entity: &Entity) -> Option<&Attribute> {
    match (&entity.versions_of, entity.identity.last()) {
        (Some(_), Some(number)) => entity.attribute(&number.value),
        _ => creation(&entity.attributes),
    }
}

/// The names under which a caller may mean a reference: the target's, and that with the target's entity in front.
fn pointers(entity: &Entity) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (index, attribute) in entity.attributes.iter().enumerate() {
        if let Some(reference) = &attribute.reference {
            let target = fold(&reference.value.attribute);
            found.entry(format!("{}{target}", fold(&reference.value.entity))).or_insert(index);
            found.entry(target).or_insert(index);
        }
    }
    found
}

/// The words of prose: letters, digits and what joins them.
pub(super) fn tokens(prose: Phrase<'_>) -> impl Iterator<Item = Phrase<'_>> {
    prose
        .as_str()
        .split(|next: char| !(next.is_alphanumeric() || matches!(next, '_' | '-' | ':' | '\'' | '.')))
        .map(move |word| prose.part(word).trim_matches(&['-', ':', '\'', '.']))
        .filter(|word| !word.is_empty())
}

/// The phrase from the first word to the last.
pub(super) fn join<'p>(prose: Phrase<'p>, words: &[Phrase<'p>]) -> Phrase<'p> {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => prose.slice(first.range_in(prose).start..last.range_in(prose).end),
        _ => prose,
    }
}

/// A name with its article: "an Agent", "a User".
pub(super) fn one(name: &str) -> String {
    let lower = name.to_lowercase();
    // `User` and `Unit` begin with a consonant to the ear, `Upload` does not.
    let heard = (lower.starts_with("up") || lower.starts_with("un")) && !lower.starts_with("uni");
    let vowel = lower.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {name}", if vowel || heard { "an" } else { "a" })
}
