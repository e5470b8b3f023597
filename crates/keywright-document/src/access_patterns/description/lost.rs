//! Words of a read that compare, date or count, and that nothing explains: "episodes **longer than** an hour", "permits
//! expiring **this week**", "how many **subscribers**".

use keywright_finding::{Finding, Level};
use keywright_model::model::{AttributeRef, Input, Role, Sort};

use super::{between, orders};
use crate::access_patterns::inputs::Context;
use crate::access_patterns::names::{join, tokens};
use crate::access_patterns::remarks::Remarks;
use crate::access_patterns::states::{stamp_of, state_named};
use crate::access_patterns::verbs::acting_word;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// Says which words of a description select nothing, or count what nobody declares.
pub(in crate::access_patterns) fn report_lost(
    description: Phrase<'_>,
    given: &[Input],
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let words: Vec<Phrase<'_>> = tokens(description).filter(|word| !orders(order, *word)).collect();
    let ranges = |it: &Input| !matches!(it.role, Role::Equal | Role::Limit | Role::Cursor | Role::Unknown);
    if !given.iter().any(ranges) && between(&words, context).is_empty() {
        report_comparison(description, &words, context, remarks);
    }
    report_counted(description, &words, context, remarks);
    report_unused(description, given, order, context, remarks);
}

/// "Loans **that are not returned**": what a clause says of the items that are read must be an input, or a state.
pub(in crate::access_patterns) fn report_clause(
    description: Phrase<'_>,
    given: &[Input],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let [entity] = context.entities else { return };
    let declared = &context.domain.entities[*entity];
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let begins = |at: &usize| {
        is(*at, &["that", "which", "who"]) && is(at + 1, &["are", "is", "were", "was", "have", "has"])
    };
    let Some(start) = (0..words.len()).find(begins) else { return };
    let skipped = ["not", "still", "yet", "already", "been", "currently", "never", "no"];
    let end = (start + 2..words.len()).find(|at| !is(*at, &skipped));
    let Some((end, word)) = end.and_then(|end| Some((end, words.get(end)?))) else { return };
    let denied = (start..end).any(|at| is(at, &["not", "never", "no"]));
    let text = word.as_str();
    let attribute = state_named(text, declared)
        .map(|(it, _)| it)
        .or_else(|| stamp_of(text, declared))
        .or_else(|| context.domain.attribute(*entity, text));
    let binds = |name: &str| given.iter().any(|it| it.binds.iter().any(|bound| bound.attribute == name));
    let is_given = attribute.is_some_and(|it| binds(&it.name));
    // "The recipes that are liked by a cook" is told who likes them.
    let led = is(end + 1, &["by", "of", "in", "on", "at", "to", "with", "for", "from", "between"]);
    if is_given || led && !denied && attribute.is_none() {
        return;
    }
    let clause = join(description, &words[start..=end]);
    let help = match attribute {
        Some(it) if !it.values.is_empty() => {
            format!("give the state as an input, such as `{} = {}`", it.name, it.values[0].value)
        }
        Some(it) => format!("give {} as an input, or keep a state beside it that can be given", it.name),
        None => format!(
            "keep a state in {}, such as `status (enum(OPEN, CLOSED))`, and give it as an input: `status = OPEN`",
            declared.name
        ),
    };
    remarks.doubt(clause.span(), format!("\"{}\" selects nothing here", clause.as_str()), help);
}

/// Who names another entity means something by it: "shows that a listener heard" are not all shows.
fn report_unused(
    description: Phrase<'_>,
    given: &[Input],
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let [entity] = context.entities else { return };
    let acting = acting_word(description, context.domain);
    for (other, words) in context.domain.mentions(description) {
        let acts = acting.is_some_and(|acting| acting.span().contains(words.span()));
        let own = &context.domain.entities[other];
        let speaks = |bound: &AttributeRef| {
            let declared = context.domain.find(&bound.entity);
            let attribute = declared.and_then(|it| context.domain.attribute(it, &bound.attribute));
            let target = attribute.and_then(|it| it.reference.as_ref());
            bound.entity == own.name
                || own.identity_names().any(|it| it == bound.attribute)
                || target.is_some_and(|it| it.value.entity == own.name)
        };
        let used = given.iter().any(|input| input.span == words.span() || input.binds.iter().any(speaks));
        // "By likes, highest first" is the order, also where a Like is an entity.
        if other != *entity && !acts && !used && !orders(order, words) {
            remarks.doubt(
                words.span(),
                format!("\"{}\" selects nothing here", words.as_str()),
                "say what is given in a line below it, such as `- Inputs: customerId`",
            );
        }
    }
}

fn report_comparison(
    description: Phrase<'_>,
    words: &[Phrase<'_>],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let spans =
        ["week", "month", "year", "quarter", "morning", "afternoon", "evening", "days", "weeks", "hours"];
    let found = (0..words.len()).find_map(|at| {
        if is(at, &["than"]) && at > 0 {
            return Some((at - 1, at));
        }
        if is(at, &["exceeding", "above", "below"]) {
            return Some((at, (at + 1).min(words.len() - 1)));
        }
        if is(at, &["today", "tomorrow", "yesterday", "tonight", "now"]) {
            return Some((at, at));
        }
        let dated = is(at, &["this", "next", "coming", "within"]);
        (dated && (is(at + 1, &spans) || is(at + 2, &spans)))
            .then(|| (at, if is(at + 1, &spans) { at + 1 } else { at + 2 }))
    });
    let (Some((from, to)), Some(entity)) = (found, context.entities.first()) else { return };
    let lost = join(description, &words[from..=to]);
    let help = format!(
        "say by which attribute of {}, in a line below it, such as `- Inputs: startsAt >= from` or `startsAt between from \
         and until`",
        context.domain.entities[*entity].name
    );
    remarks.doubt(lost.span(), format!("\"{}\" selects nothing here", lost.as_str()), help);
}

/// "How many subscribers has a show" counts no shows.
fn report_counted(
    description: Phrase<'_>,
    words: &[Phrase<'_>],
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let start = (0..words.len()).find_map(|at| {
        (is(at, &["how"]) && is(at + 1, &["many"]) || is(at, &["number"]) && is(at + 1, &["of"]))
            .then_some(at + 2)
    });
    let start = start.or_else(|| is(0, &["count"]).then_some(1));
    let Some(start) = start else { return };
    let ends = [
        "of", "for", "in", "per", "has", "have", "does", "do", "by", "with", "are", "is", "from", "to", "a",
        "an",
    ];
    let skipped =
        words.iter().skip(start).take_while(|word| ["all", "the"].iter().any(|it| word.is(it))).count();
    let counted: Vec<Phrase<'_>> = words
        .iter()
        .skip(start + skipped)
        .take_while(|word| !ends.iter().any(|it| word.is(it)))
        .copied()
        .collect();
    if counted.is_empty() || !context.domain.mentions(join(description, &counted)).is_empty() {
        return;
    }
    let noun = join(description, &counted);
    remarks.report(
        Finding::new(
            &UNREADABLE_CELL,
            noun.span(),
            format!("\"{}\" is no entity, so nothing says what is counted", noun.as_str()),
        )
        .level(Level::Error)
        .help("name the entity whose items are counted, such as `count the subscriptions of a show`"),
    );
}
