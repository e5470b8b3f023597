//! The order that prose tells beside other things: "episodes of a show, newest first", "top 100 players by rating".

use keywright_model::model::{Attribute, AttributeRef, Direction, Sort, Type};

use super::{age, by_age, called, children_first, direction_word, is_filler, read_part};
use crate::access_patterns::names::{Domain, fold, join, parts, tokens};
use crate::access_patterns::patterns::SELECTORS;
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::state_named;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// Words for a description's order, and what they are read against.
pub(super) struct Prose<'a, 'p> {
    pub(super) whole: Phrase<'p>,
    pub(super) words: Vec<Phrase<'p>>,
    /// What is read.
    entities: &'a [usize],
    /// The same, and what leads to it: of the students of a course, also the enrollments.
    around: Vec<usize>,
    domain: &'a Domain<'a>,
}

/// Reads the order that prose tells; its span are the words that tell it, which select nothing.
pub(in crate::access_patterns) fn told(
    prose: Phrase<'_>,
    entities: &[usize],
    links: &[usize],
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<Sort> {
    let prose = Prose::new(prose, entities, links, domain);
    if let Some(part) = prose.sorted_by() {
        let sort = read_part(part, &prose.around, domain, remarks)?;
        return Some(prose.assumed(sort, remarks));
    }
    let led = || prose.by_and_first().or_else(|| prose.first());
    if let Some(sort) = prose.ranked().or_else(led).or_else(|| prose.directed()) {
        return Some(prose.assumed(sort, remarks));
    }
    // "Latest" alone may be a word of the domain; it orders where something tells when an item came to be.
    let dated = prose.around.iter().any(|entity| domain.creation(*entity).is_some());
    let newest = prose.words.iter().find_map(|word| age(word.as_str()).map(|it| (*word, it)));
    let newest = newest.or_else(|| prose.last());
    if let Some((word, direction)) = newest.filter(|_| dated) {
        let order: Vec<usize> = children_first(entities).into_iter().chain(links.iter().copied()).collect();
        return by_age(word, word, direction, &order, domain, remarks);
    }
    let sort = prose
        .soonest()
        .or_else(|| prose.alphabetical())
        .or_else(|| prose.in_order())
        .or_else(|| prose.by_state())
        .or_else(|| prose.by_measure());
    let Some(sort) = sort.or_else(|| prose.set_off()) else {
        prose.report_first(remarks);
        return None;
    };
    Some(prose.assumed(sort, remarks))
}

impl<'a, 'p> Prose<'a, 'p> {
    pub(super) fn new(
        whole: Phrase<'p>,
        entities: &'a [usize],
        links: &[usize],
        domain: &'a Domain<'a>,
    ) -> Self {
        let around = entities.iter().chain(links).copied().collect();
        Prose { whole, words: tokens(whole).collect(), entities, around, domain }
    }

    pub(super) fn assumed(&self, sort: Sort, remarks: &mut Remarks) -> Sort {
        let direction = if sort.direction == Direction::Descending { "DESC" } else { "ASC" };
        remarks.assume(
            sort.span,
            format!("read the order of \"{}\" as {} {direction}", self.whole.as_str(), sort.attribute),
            format!("write `{} {direction}` into a column Sort", sort.attribute.attribute),
        );
        sort
    }

    /// "The last reading", but not "the last 30 days" and "last name".
    fn last(&self) -> Option<(Phrase<'p>, Direction)> {
        let pair = self.words.windows(2).find(|pair| {
            pair[0].is("last")
                && self.domain.meant_by(pair[1].as_str()).is_some_and(|it| self.entities.contains(&it))
        })?;
        Some((pair[0], Direction::Descending))
    }

    /// "Critical first" and "in order" are orders that no attribute carries.
    fn report_first(&self, remarks: &mut Remarks) {
        let first = self.words.windows(2).find(|pair| {
            pair[1].is("first") && !["the", "at", "a", "its", "my"].iter().any(|it| pair[0].is(it))
        });
        let ordered = || self.ordered().map(|at| &self.words[at - 1..=at]);
        if let Some(pair) = first.or_else(ordered) {
            report_order(join(self.whole, pair), remarks);
        }
    }

    /// Where "in order" ends, unless more follows: "in order **to** ship", "in order **of** price".
    fn ordered(&self) -> Option<usize> {
        (1..self.words.len()).find(|at| {
            let more =
                self.words.get(at + 1).is_some_and(|word| word.is("to") || word.is("of") || word.is("by"));
            self.words[at - 1].is("in") && self.words[*at].is("order") && !more
        })
    }

    /// "Most urgent first": by the enumeration that begins or ends with URGENT, from there on.
    fn by_state(&self) -> Option<Sort> {
        let at = self.words.windows(2).position(|pair| pair[1].is("first"))?;
        let extreme = |entity: &usize| {
            let declared = &self.domain.entities[*entity];
            let (attribute, value) = state_named(self.words[at].as_str(), declared)?;
            let direction = match attribute.values.iter().position(|it| it.value == value.value)? {
                0 => Direction::Ascending,
                it if it + 1 == attribute.values.len() => Direction::Descending,
                _ => return None,
            };
            Some((AttributeRef::new(&declared.name, &attribute.name), direction))
        };
        let (attribute, direction) = children_first(self.entities).iter().find_map(extreme)?;
        let start = if at > 0 && self.words[at - 1].is("most") { at - 1 } else { at };
        Some(self.sort(attribute, direction, start, at + 1))
    }

    /// "A course with its lessons in order": by what numbers them, else by the only time that they have.
    fn in_order(&self) -> Option<Sort> {
        let end = self.ordered()?;
        let numbers = ["number", "position", "sequence", "index", "order", "rank", "no"];
        let numbered = |entity: &usize| {
            let declared = &self.domain.entities[*entity];
            let mut found = declared.attributes.iter().filter(|it| {
                let own = parts(&it.name).pop();
                own.is_some_and(|last| numbers.contains(&last.as_str()))
            });
            let first = found.next().filter(|_| found.next().is_none());
            // The ply of a move numbers those of a game: what identifies them last, among those of one parent.
            let counts = || {
                let last = declared.identity_names().last().filter(|_| declared.identity.len() > 1)?;
                declared.attribute(last).filter(|it| it.ty.value.is_numeric() && it.reference.is_none())
            };
            Some(AttributeRef::new(&declared.name, &first.or_else(counts)?.name))
        };
        let timed = |entity: &usize| {
            let declared = &self.domain.entities[*entity];
            let time = |it: &&Attribute| matches!(it.ty.value, Type::Datetime | Type::Date);
            let mut found = declared.attributes.iter().filter(time);
            let only = found.next().filter(|it| found.next().is_none() && !it.is_optional())?;
            Some(AttributeRef::new(&declared.name, &only.name))
        };
        let order = children_first(self.entities);
        let attribute = order.iter().find_map(numbered).or_else(|| order.iter().find_map(timed))?;
        Some(self.sort(attribute, Direction::Ascending, end - 1, end))
    }

    /// "Students of a course, **by enrolment date**": what stands apart selects nothing.
    fn set_off(&self) -> Option<Sort> {
        let by = (1..self.words.len()).find(|at| {
            let offset = self.words[*at].range_in(self.whole).start;
            self.words[*at].is("by") && self.whole.as_str()[..offset].trim_end().ends_with([',', ';', '('])
        })?;
        self.by(by).filter(|_| self.is_many())
    }

    /// The order by what follows a "by".
    pub(super) fn by(&self, by: usize) -> Option<Sort> {
        let (attribute, count) = self.attribute_at(by + 1)?;
        let selects = self.declared(&attribute).is_some_and(|it| it.ty.value == Type::Enum);
        (!selects).then(|| self.sort(attribute, Direction::Ascending, by, by + count))
    }

    /// Whether the words speak of several items.
    fn is_many(&self) -> bool {
        let mentions = self.domain.mentions(self.whole);
        self.words.first().is_some_and(|first| first.is("list") || first.is("all"))
            || mentions.iter().any(|(entity, noun)| {
                self.entities.contains(entity) && noun.as_str().to_lowercase().ends_with('s')
            })
    }

    /// "Sorted by title", "in order of start": from "by" or "of" to the end of the clause.
    fn sorted_by(&self) -> Option<Phrase<'p>> {
        let orders = ["sorted", "ordered", "sort", "order"];
        let by = self.words.windows(2).find(|pair| {
            orders.iter().any(|it| pair[0].is(it)) && pair[1].is("by")
                || pair[0].is("order") && pair[1].is("of")
        })?;
        let start = by[1].range_in(self.whole).start;
        let rest = self.whole.slice(start..self.whole.as_str().len());
        let mut parts = rest.split(&[',', ';', '(', '\n']);
        let first = parts.next().map(Phrase::trim)?;
        // "Sorted by placedAt, descending"
        let directs = |part: Phrase<'p>| tokens(part).all(|word| is_direction(word) || word.is("order"));
        let next = parts.next().filter(|next| tokens(*next).next().is_some() && directs(*next));
        Some(next.map_or(first, |next| join(rest, &[first, next.trim_matches(&[')'])])))
    }

    /// "Top 100 players by rating", "top 20 by points": from the top of a measure.
    fn ranked(&self) -> Option<Sort> {
        let top = self.words.iter().position(|word| word.is("top") || word.is("best"))?;
        let by = top + self.words[top..].iter().position(|word| word.is("by"))?;
        let (attribute, count) = self.attribute_at(by + 1)?;
        let orders = |ty: Type| ty.is_numeric() || matches!(ty, Type::Datetime | Type::Date);
        let ty = self.declared(&attribute).map(|it| it.ty.value);
        ty.is_some_and(orders).then(|| self.sort(attribute, Direction::Descending, by, by + count))
    }

    /// "By likes, highest first", "by likes, most liked first".
    fn by_and_first(&self) -> Option<Sort> {
        let by = self.words.iter().position(|word| word.is("by"))?;
        let (attribute, count) = self.attribute_at(by + 1)?;
        let start = by + count + 1;
        let end = (start + 1..self.words.len().min(start + 3)).find(|it| self.words[*it].is("first"))?;
        let orders = |ty: Type| ty.is_numeric() || matches!(ty, Type::Datetime | Type::Date);
        let direction = direction_word(self.words[start].as_str())
            .filter(|_| self.declared(&attribute).is_some_and(|it| orders(it.ty.value)))?;
        Some(self.sort(attribute, direction, by, end))
    }

    /// "Highest rating first", "by lowest price".
    fn first(&self) -> Option<Sort> {
        (0..self.words.len()).find_map(|at| {
            let direction = direction_word(self.words[at].as_str())?;
            let end = (at + 1..self.words.len().min(at + 5)).find(|it| self.words[*it].is("first"));
            let led = at > 0 && self.words[at - 1].is("by");
            if end.is_none() && !led {
                return None;
            }
            let recently = self.words.get(at + 1).is_some_and(|word| word.is("recently"));
            let (attribute, count) = if recently {
                self.done_at(at + 2)?
            } else if self.words[at].is("cheapest") {
                self.attribute_at(at + 1).or_else(|| Some((self.price()?, 0)))?
            } else {
                self.attribute_at(at + 1)?
            };
            let from = if led { at - 1 } else { at };
            Some(self.sort(attribute, direction, from, end.unwrap_or(at + count)))
        })
    }

    /// What something costs, where one attribute tells it.
    fn price(&self) -> Option<AttributeRef> {
        let costs = ["price", "cost", "fee", "fare"];
        self.entities.iter().find_map(|entity| {
            let declared = &self.domain.entities[*entity];
            let mut found = declared.attributes.iter().filter(|it| {
                it.ty.value.is_numeric() && parts(&it.name).iter().any(|part| costs.contains(&part.as_str()))
            });
            let first = found.next().filter(|_| found.next().is_none())?;
            Some(AttributeRef::new(&declared.name, &first.name))
        })
    }

    /// "Most recently **updated**" is by `updatedAt`.
    fn done_at(&self, at: usize) -> Option<(AttributeRef, usize)> {
        let word = self.words.get(at..=at)?;
        let found = self.around.iter().find_map(|entity| called(word, *entity, self.domain))?;
        Some((found, 2))
    }

    /// "By price descending", "createdAt desc".
    fn directed(&self) -> Option<Sort> {
        let end = self.words.iter().position(|word| is_direction(*word))?;
        let direction = direction_word(self.words[end].as_str())?;
        (1..=3.min(end)).rev().find_map(|count| {
            let from = end - count;
            let (attribute, found) = self.attribute_at(from)?;
            let led = from > 0 && self.words[from - 1].is("by");
            (found == count).then(|| self.sort(attribute, direction, if led { from - 1 } else { from }, end))
        })
    }

    /// "Soonest first": by the only time at which something happens, which is not when the item was written.
    fn soonest(&self) -> Option<Sort> {
        let at = self.words.windows(2).position(|pair| pair[0].is("soonest") && pair[1].is("first"))?;
        let written = ["created", "updated", "modified"];
        let happens = |it: &&Attribute| {
            matches!(it.ty.value, Type::Datetime | Type::Date)
                && !it.is_optional()
                && !parts(&it.name).iter().any(|part| written.contains(&part.as_str()))
        };
        let attribute = children_first(self.entities).iter().find_map(|entity| {
            let declared = &self.domain.entities[*entity];
            let mut found = declared.attributes.iter().filter(happens);
            let only = found.next().filter(|_| found.next().is_none())?;
            Some(AttributeRef::new(&declared.name, &only.name))
        })?;
        Some(self.sort(attribute, Direction::Ascending, at, at + 1))
    }

    /// "Alphabetically", "from A-Z": by the name.
    fn alphabetical(&self) -> Option<Sort> {
        let at = self
            .words
            .iter()
            .position(|word| ["alphabetically", "alphabetical", "a-z"].iter().any(|it| word.is(it)))?;
        let named = ["name", "title", "label"]
            .iter()
            .find_map(|name| self.entities.iter().find_map(|entity| self.domain.reference(*entity, name)))?;
        Some(self.sort(named, Direction::Ascending, at, at))
    }

    /// "Invoices by due date": nobody gives a measure or an instant exactly, so a list by one is sorted by it.
    fn by_measure(&self) -> Option<Sort> {
        let by = self.words.iter().position(|word| word.is("by")).filter(|_| self.is_many())?;
        let (attribute, count) = self.attribute_at(by + 1)?;
        // A day may be given, as "by date"; "by due date" tells which of several orders them.
        let dated = || count > 1 && self.declared(&attribute).is_some_and(|it| it.ty.value == Type::Date);
        let orders = self.measures(&attribute) || dated();
        orders.then(|| self.sort(attribute, Direction::Ascending, by, by + count))
    }

    fn sort(&self, attribute: AttributeRef, direction: Direction, from: usize, to: usize) -> Sort {
        Sort { attribute, direction, span: join(self.whole, &self.words[from..=to]).span() }
    }

    /// The attribute that the words from some place on name, and how many words do: `rating`, "due date".
    fn attribute_at(&self, from: usize) -> Option<(AttributeRef, usize)> {
        let articles = self.words.get(from..)?.iter().take_while(|word| is_filler(word.as_str())).count();
        let from = from + articles;
        for count in (1..=3).rev() {
            let Some(some) = self.words.get(from..from + count) else { continue };
            let name = join(self.whole, some);
            let found = self.around.iter().find_map(|entity| self.domain.reference(*entity, name.as_str()));
            if let Some(found) = found {
                // "Due date" is also `due`.
                let next = self.words.get(from + 1).filter(|_| count == 1);
                let time = next.is_some_and(|it| it.is("date") || it.is("time")) && self.is_time(&found);
                return Some((found, count + usize::from(time) + articles));
            }
        }
        // "Due date" is `dueAt`; a noun alone may be anything.
        let two = self.words.get(from..from + 2)?;
        let is_time = ["date", "time"].iter().any(|it| two[1].is(it));
        let selects = SELECTORS.iter().any(|it| two[0].is(it));
        let found = self.around.iter().find_map(|entity| called(&two[..1], *entity, self.domain));
        found.filter(|_| is_time && !selects).map(|found| (found, 2 + articles))
    }

    fn is_time(&self, bound: &AttributeRef) -> bool {
        self.declared(bound).is_some_and(|it| matches!(it.ty.value, Type::Datetime | Type::Date))
    }

    fn declared(&self, bound: &AttributeRef) -> Option<&Attribute> {
        self.domain.attribute(self.domain.find(&bound.entity)?, &bound.attribute)
    }

    /// Whether an attribute is an instant or a number that nobody would give exactly.
    fn measures(&self, bound: &AttributeRef) -> bool {
        let entity = self.domain.find(&bound.entity);
        let identifies = entity.is_some_and(|it| self.domain.identifies(it, &bound.attribute));
        let mutable = |it: &Attribute| {
            let said = it.mutability.as_ref();
            said.is_some_and(|it| it.value == keywright_model::model::Mutability::Mutable)
        };
        let score = [
            "rating",
            "score",
            "points",
            "price",
            "amount",
            "total",
            "likes",
            "views",
            "votes",
            "popularity",
        ];
        self.declared(bound).filter(|_| !identifies).is_some_and(|it| match it.ty.value {
            Type::Datetime | Type::Decimal => true,
            ty if ty.is_numeric() => mutable(it) || score.iter().any(|word| fold(&it.name).contains(word)),
            _ => false,
        })
    }
}

fn is_direction(word: Phrase<'_>) -> bool {
    ["asc", "ascending", "desc", "descending"].iter().any(|it| word.is(it))
}

/// Says that words promise an order that no attribute has.
pub(super) fn report_order(words: Phrase<'_>, remarks: &mut Remarks) {
    remarks.say(
        &UNREADABLE_CELL,
        words.span(),
        format!("\"{}\" is not an order of an attribute", words.as_str()),
        "write the attribute, such as `sorted by createdAt descending`; values of an enumeration are sorted as they are declared",
    );
}
