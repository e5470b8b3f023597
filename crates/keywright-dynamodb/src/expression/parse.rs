//! Parses expressions: DynamoDB's own language, extended by literal values.
//!
//! DynamoDB's language has names (`status`, `#status`) and value placeholders (`:status`). Documents also
//! write values directly: `'OPEN'`, `"ORDER#<orderId>"`, `3`, `true`, and an amount added to a value, `:n +
//! 1`. The parser returns all of these as [`Term`]s, which the caller turns into its own values with
//! `try_map`.

mod token;

use std::ops::Range;

use thiserror::Error;

pub(super) use self::token::is_word;
use self::token::{Symbol, Token, Tokens};
use super::{Assigned, Comparator, Condition, Operand, Path, Update};

/// The deepest nesting of brackets and NOT.
pub const NESTING: usize = 64;

/// A value in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// `:name`, without the colon.
    Placeholder(String),
    /// `'text'`: the text itself.
    Quoted(String),
    /// `"text"`: text that the caller interprets, such as a key template.
    DoubleQuoted(String),
    /// A number, as written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
    /// A number and an amount added to it: `:n + 1`, `:n - 1`.
    Sum(Box<Term>, i64),
}

/// Why and where a text is not an expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The byte offset in the text.
    pub offset: usize,
    /// The error, without a full stop.
    pub message: String,
}

/// An attribute name in an expression, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAt {
    /// The bytes of the name, including a `#`.
    pub range: Range<usize>,
    /// The name, without a `#`.
    pub name: String,
    /// Whether it is written with a `#`.
    pub escaped: bool,
}

/// Reads a condition or filter expression.
///
/// ```
/// use keywright_dynamodb::expression::{Condition, parse::{Term, condition}};
///
/// let tree = condition("#status = 'OPEN'").unwrap();
/// assert_eq!(tree, Condition::equals("status", Term::Quoted("OPEN".into())));
/// assert_eq!(condition("a = ").unwrap_err().offset, 4);
/// ```
///
/// # Errors
/// If the text is not one complete expression.
pub fn condition(text: &str) -> Result<Condition<Term>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let condition = parser.condition()?;
    parser.end()?;
    Ok(condition)
}

/// Reads an update expression.
///
/// # Errors
/// If the text is not one complete expression.
pub fn update(text: &str) -> Result<Update<Term>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let update = parser.update()?;
    parser.end()?;
    Ok(update)
}

/// The attribute names in a text that need not be a valid expression.
///
/// # Errors
/// If the text has characters that no expression has.
pub fn names(text: &str) -> Result<Vec<NameAt>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    while parser.peek().is_some() {
        if parser.path().is_err() {
            parser.next();
        }
    }
    Ok(parser.names)
}

/// Reads a text from left to right. Languages that embed expressions in sentences use it directly.
#[derive(Clone, Debug)]
pub struct Parser {
    tokens: Vec<(Token, Range<usize>)>,
    position: usize,
    depth: usize,
    length: usize,
    names: Vec<NameAt>,
}

/// Words that begin a clause of an update. They are not names unless written with `#`.
const CLAUSES: [&str; 4] = ["SET", "REMOVE", "ADD", "DELETE"];
const FUNCTIONS: [&str; 8] = [
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "size",
    "if_not_exists",
    "list_append",
];

impl Parser {
    /// Splits a text into tokens.
    ///
    /// # Errors
    /// If the text has characters that no expression has, or an unclosed quotation.
    pub fn new(text: &str) -> Result<Self, SyntaxError> {
        let tokens = Tokens::of(text)?;
        Ok(Parser { tokens, position: 0, depth: 0, length: text.len(), names: Vec::new() })
    }

    /// The attribute names that have been read so far.
    pub fn names(&self) -> &[NameAt] {
        &self.names
    }

    /// The offset of the next token; the end of the text after the last one.
    pub fn offset(&self) -> usize {
        self.tokens.get(self.position).map_or(self.length, |(_, range)| range.start)
    }

    /// Consumes the next word if it is this one, in any case and without a `#`. Returns whether it was.
    pub fn word(&mut self, word: &str) -> bool {
        let found = self.sees(word);
        if found {
            self.position += 1;
        }
        found
    }

    /// Whether the next word is this one, in any case and without a `#`.
    pub fn sees(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word { text, escaped: false }) if text.eq_ignore_ascii_case(word))
    }

    /// Consumes a comma if it comes next. Returns whether it did.
    pub fn comma(&mut self) -> bool {
        self.symbol(Symbol::Comma)
    }

    /// Consumes a `=` if it comes next. Returns whether it did.
    pub fn equals(&mut self) -> bool {
        self.symbol(Symbol::Compare(Comparator::Equal))
    }

    /// Requires that the text ends here.
    ///
    /// # Errors
    /// If the text goes on.
    pub fn end(&self) -> Result<(), SyntaxError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.refuse("nothing more is expected here")) }
    }

    /// Whether the end of the text is reached.
    pub fn is_at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Reads a whole number.
    ///
    /// # Errors
    /// If the next token is something else.
    pub fn integer(&mut self) -> Result<u64, SyntaxError> {
        let number = match self.peek() {
            Some(Token::Number(digits)) => digits.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.refuse("a whole number is expected here"))?;
        self.position += 1;
        Ok(number)
    }

    /// Reads the name of an item type, a table or an index: one word, or a quoted text.
    ///
    /// # Errors
    /// If the next token is something else.
    pub fn name(&mut self) -> Result<String, SyntaxError> {
        let name = match self.peek() {
            Some(Token::Word { text, .. } | Token::DoubleQuoted(text) | Token::Number(text)) => text.clone(),
            _ => return Err(self.refuse("a name is expected here")),
        };
        self.position += 1;
        Ok(name)
    }

    /// Reads a document path.
    ///
    /// # Errors
    /// If the next token is something else.
    pub fn path(&mut self) -> Result<Path, SyntaxError> {
        let mut path = String::new();
        loop {
            let Some((Token::Word { text, escaped }, range)) = self.tokens.get(self.position).cloned() else {
                return Err(self.refuse("the name of an attribute is expected here"));
            };
            if !escaped && path.is_empty() && self.is_keyword(&text) {
                return Err(self.refuse(format!("`{text}` is a word of the language, not an attribute")));
            }
            self.position += 1;
            path.push_str(&text);
            self.names.push(NameAt { range, name: text, escaped });
            while let Some(Token::Subscript(index)) = self.peek() {
                path.push_str(&format!("[{index}]"));
                self.position += 1;
            }
            if !self.symbol(Symbol::Dot) {
                return Ok(path);
            }
            path.push('.');
        }
    }

    fn is_keyword(&self, word: &str) -> bool {
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        if FUNCTIONS.iter().any(is) {
            // A function's name is a keyword only before a bracket: an attribute may be called `size`.
            return matches!(self.tokens.get(self.position + 1), Some((Token::Symbol(Symbol::Open), _)));
        }
        CLAUSES.iter().any(is) || ["AND", "OR", "NOT", "BETWEEN", "IN", "true", "false"].iter().any(is)
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If the next token is something else.
    pub fn value(&mut self) -> Result<Term, SyntaxError> {
        let mut term = match self.peek() {
            Some(Token::Placeholder(name)) => Term::Placeholder(name.clone()),
            Some(Token::Quoted(text)) => Term::Quoted(text.clone()),
            Some(Token::DoubleQuoted(text)) => Term::DoubleQuoted(text.clone()),
            Some(Token::Number(number)) => Term::Number(number.clone()),
            Some(Token::Symbol(Symbol::Minus)) => {
                let Some((Token::Number(number), _)) = self.tokens.get(self.position + 1) else {
                    return Err(self.refuse("a value is expected here"));
                };
                let number = format!("-{number}");
                self.position += 1;
                Term::Number(number)
            }
            Some(Token::Word { text, escaped: false }) if text.eq_ignore_ascii_case("true") => {
                Term::Boolean(true)
            }
            Some(Token::Word { text, escaped: false }) if text.eq_ignore_ascii_case("false") => {
                Term::Boolean(false)
            }
            _ => return Err(self.refuse("a value such as :name, 'text' or 3 is expected here")),
        };
        self.position += 1;
        while let Some((sign, step)) = self.step() {
            let step = format!("{sign}{step}")
                .parse()
                .map_err(|_| self.refuse("the step must be a whole number of at most 18 digits"))?;
            self.position += 2;
            term = Term::Sum(Box::new(term), step);
        }
        Ok(term)
    }

    /// A sign and the number after it, if they come next: the amount that is added to the value before.
    fn step(&self) -> Option<(&'static str, String)> {
        let sign = match self.peek()? {
            Token::Symbol(Symbol::Plus) => "",
            Token::Symbol(Symbol::Minus) => "-",
            _ => return None,
        };
        match self.tokens.get(self.position + 1)? {
            (Token::Number(step), _) => Some((sign, step.clone())),
            _ => None,
        }
    }

    /// Reads a condition or filter expression.
    ///
    /// # Errors
    /// If it is malformed, or nests deeper than [`NESTING`].
    pub fn condition(&mut self) -> Result<Condition<Term>, SyntaxError> {
        let mut any = vec![self.conjunction()?];
        while self.word("OR") {
            any.push(self.conjunction()?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Condition::Any(any) })
    }

    fn conjunction(&mut self) -> Result<Condition<Term>, SyntaxError> {
        let mut all = vec![self.negation()?];
        while self.word("AND") {
            all.push(self.negation()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::All(all) })
    }

    fn negation(&mut self) -> Result<Condition<Term>, SyntaxError> {
        if self.depth == NESTING {
            return Err(self.refuse(format!("the expression nests deeper than {NESTING}")));
        }
        self.depth += 1;
        let condition = if self.word("NOT") {
            Condition::Not(Box::new(self.negation()?))
        } else if self.symbol(Symbol::Open) {
            let inner = self.condition()?;
            self.close()?;
            inner
        } else {
            self.predicate()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn predicate(&mut self) -> Result<Condition<Term>, SyntaxError> {
        if let Some(function) = self.function() {
            let path = self.path()?;
            let condition = match function {
                "attribute_exists" => Condition::Exists(path),
                "attribute_not_exists" => Condition::NotExists(path),
                "attribute_type" => Condition::Type(path, self.argument()?),
                "begins_with" => Condition::BeginsWith(path, self.argument()?),
                "contains" => Condition::Contains(path, self.argument()?),
                "size" => {
                    self.close()?;
                    return self.comparison(Operand::Size(path));
                }
                _ => return Err(self.refuse(format!("`{function}` is not a condition"))),
            };
            self.close()?;
            return Ok(condition);
        }
        let subject = self.operand()?;
        self.comparison(subject)
    }

    fn comparison(&mut self, subject: Operand<Term>) -> Result<Condition<Term>, SyntaxError> {
        if let Some(Token::Symbol(Symbol::Compare(comparator))) = self.peek() {
            let comparator = *comparator;
            self.position += 1;
            return Ok(Condition::Compare(subject, comparator, self.operand()?));
        }
        if self.word("BETWEEN") {
            let lower = self.operand()?;
            if !self.word("AND") {
                return Err(self.refuse("AND and the upper bound are expected here"));
            }
            return Ok(Condition::Between(subject, lower, self.operand()?));
        }
        if self.word("IN") {
            if !self.symbol(Symbol::Open) {
                return Err(self.refuse("a list in brackets is expected after IN"));
            }
            let mut list = vec![self.operand()?];
            while self.comma() {
                list.push(self.operand()?);
            }
            self.close()?;
            return Ok(Condition::In(subject, list));
        }
        Err(self.refuse("a comparison is expected here"))
    }

    fn operand(&mut self) -> Result<Operand<Term>, SyntaxError> {
        if self.sees_function("size") {
            self.position += 2;
            let path = self.path()?;
            self.close()?;
            return Ok(Operand::Size(path));
        }
        match self.peek() {
            Some(Token::Word { text, escaped })
                if *escaped || !["true", "false"].iter().any(|it| text.eq_ignore_ascii_case(it)) =>
            {
                Ok(Operand::Path(self.path()?))
            }
            _ => Ok(Operand::Value(self.value()?)),
        }
    }

    /// Reads an update expression: any of SET, REMOVE, ADD and DELETE, each at most once.
    ///
    /// # Errors
    /// If a clause is malformed or comes twice.
    pub fn update(&mut self) -> Result<Update<Term>, SyntaxError> {
        let mut update = Update::default();
        loop {
            let again = |empty: bool, parser: &Self| {
                if empty { Ok(()) } else { Err(parser.refuse("a clause may come only once")) }
            };
            if self.sees("SET") {
                again(update.set.is_empty(), self)?;
                self.position += 1;
                update.set = self.list(Self::assignment)?;
            } else if self.sees("REMOVE") {
                again(update.remove.is_empty(), self)?;
                self.position += 1;
                update.remove = self.list(Self::path)?;
            } else if self.sees("ADD") {
                again(update.add.is_empty(), self)?;
                self.position += 1;
                update.add = self.list(|parser| Ok((parser.path()?, parser.value()?)))?;
            } else if self.sees("DELETE") {
                again(update.delete.is_empty(), self)?;
                self.position += 1;
                update.delete = self.list(|parser| Ok((parser.path()?, parser.value()?)))?;
            } else {
                return Ok(update);
            }
        }
    }

    /// Reads one or more elements, separated by commas.
    ///
    /// # Errors
    /// If an element is malformed.
    pub fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut list = vec![one(self)?];
        while self.comma() {
            list.push(one(self)?);
        }
        Ok(list)
    }

    fn assignment(&mut self) -> Result<(Path, Assigned<Term>), SyntaxError> {
        let path = self.path()?;
        if !self.equals() {
            return Err(self.refuse("= is expected here"));
        }
        Ok((path, self.assigned()?))
    }

    fn assigned(&mut self) -> Result<Assigned<Term>, SyntaxError> {
        if let Some(function) = self.function() {
            let path = self.path()?;
            let value = self.argument()?;
            self.close()?;
            return match function {
                "list_append" => Ok(Assigned::ListAppend(path, value)),
                "if_not_exists" if self.symbol(Symbol::Plus) => {
                    Ok(Assigned::IfNotExistsPlus(path, value, self.value()?))
                }
                "if_not_exists" => Ok(Assigned::IfNotExists(path, value)),
                _ => Err(self.refuse(format!("`{function}` gives no value"))),
            };
        }
        if let Operand::Path(path) = self.operand_or_value()? {
            return if self.symbol(Symbol::Plus) {
                Ok(Assigned::Plus(path, self.value()?))
            } else if self.symbol(Symbol::Minus) {
                Ok(Assigned::Minus(path, self.value()?))
            } else {
                Err(self.refuse("+ or - and a value are expected after an attribute"))
            };
        }
        Ok(Assigned::Value(self.value()?))
    }

    /// Reads a path if one comes next. A value is left for the caller to read.
    fn operand_or_value(&mut self) -> Result<Operand<()>, SyntaxError> {
        match self.peek() {
            Some(Token::Word { text, escaped })
                if *escaped || !["true", "false"].iter().any(|it| text.eq_ignore_ascii_case(it)) =>
            {
                Ok(Operand::Path(self.path()?))
            }
            _ => Ok(Operand::Value(())),
        }
    }

    /// Consumes a function's name and its opening bracket, if they come next.
    fn function(&mut self) -> Option<&'static str> {
        let name = FUNCTIONS.into_iter().find(|name| self.sees_function(name))?;
        self.position += 2;
        Some(name)
    }

    fn sees_function(&self, name: &str) -> bool {
        self.sees(name)
            && matches!(self.tokens.get(self.position + 1), Some((Token::Symbol(Symbol::Open), _)))
    }

    fn argument(&mut self) -> Result<Term, SyntaxError> {
        if !self.comma() {
            return Err(self.refuse("a comma and a value are expected here"));
        }
        self.value()
    }

    fn close(&mut self) -> Result<(), SyntaxError> {
        if self.symbol(Symbol::Close) {
            Ok(())
        } else {
            Err(self.refuse("a closing bracket is expected here"))
        }
    }

    fn symbol(&mut self, symbol: Symbol) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(it)) if *it == symbol);
        if found {
            self.position += 1;
        }
        found
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|(token, _)| token)
    }

    fn next(&mut self) {
        self.position += 1;
    }

    /// An error at the current position.
    pub fn refuse(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { offset: self.offset(), message: message.into() }
    }
}

#[cfg(test)]
mod tests;
