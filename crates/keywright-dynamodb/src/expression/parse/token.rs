//! The tokens of an expression.

use std::ops::Range;

use super::SyntaxError;
use crate::expression::Comparator;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or keyword; `#name` and `#"any text"` are always names.
    Word {
        text: String,
        escaped: bool,
    },
    /// `:name`, `:1.name`, `:"any text"`.
    Placeholder(String),
    /// `'text'`.
    Quoted(String),
    /// `"text"`.
    DoubleQuoted(String),
    /// Digits, a fraction and an exponent; signs are tokens of their own.
    Number(String),
    /// `[3]`.
    Subscript(String),
    Symbol(Symbol),
}

/// A punctuation mark or operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Open,
    Close,
    Comma,
    Dot,
    Plus,
    Minus,
    Compare(Comparator),
}

/// Splits a text into tokens.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Result<Vec<(Token, Range<usize>)>, SyntaxError> {
        let mut tokens = Tokens { text, at: 0 };
        let mut list = Vec::new();
        loop {
            tokens.skip(char::is_whitespace);
            let start = tokens.at;
            let Some(first) = tokens.peek() else { return Ok(list) };
            let token = tokens.token(first)?;
            list.push((token, start..tokens.at));
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|it: char| !wanted(it)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn refuse<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { offset: self.at, message: message.into() })
    }

    fn token(&mut self, first: char) -> Result<Token, SyntaxError> {
        match first {
            '#' => {
                self.at += 1;
                let text = if self.peek() == Some('"') {
                    self.quotation('"')?
                } else {
                    self.skip(is_word).to_owned()
                };
                if text.is_empty() && !self.text[..self.at].ends_with('"') {
                    return self.refuse("a name is expected after #");
                }
                Ok(Token::Word { text, escaped: true })
            }
            ':' => {
                self.at += 1;
                if self.peek() == Some('"') {
                    return Ok(Token::Placeholder(self.quotation('"')?));
                }
                let start = self.at;
                self.skip(is_word);
                while self.text[self.at..].strip_prefix('.').is_some_and(|rest| rest.starts_with(is_word)) {
                    self.at += 1;
                    self.skip(is_word);
                }
                if start == self.at {
                    return self.refuse("a name is expected after :");
                }
                Ok(Token::Placeholder(self.text[start..self.at].to_owned()))
            }
            '\'' => Ok(Token::Quoted(self.quotation('\'')?)),
            '"' => Ok(Token::DoubleQuoted(self.quotation('"')?)),
            '[' => {
                self.at += 1;
                let digits = self.skip(|it| it.is_ascii_digit()).to_owned();
                if digits.is_empty() || self.peek() != Some(']') {
                    return self.refuse("a number in square brackets is expected here");
                }
                self.at += 1;
                Ok(Token::Subscript(digits))
            }
            '0'..='9' => Ok(Token::Number(self.number())),
            _ if is_word(first) => Ok(Token::Word { text: self.skip(is_word).to_owned(), escaped: false }),
            _ => self.symbol(first),
        }
    }

    fn symbol(&mut self, first: char) -> Result<Token, SyntaxError> {
        let rest = &self.text[self.at..];
        let (symbol, length) = match first {
            '(' => (Symbol::Open, 1),
            ')' => (Symbol::Close, 1),
            ',' => (Symbol::Comma, 1),
            '.' => (Symbol::Dot, 1),
            '+' => (Symbol::Plus, 1),
            '-' => (Symbol::Minus, 1),
            _ if rest.starts_with("<>") => (Symbol::Compare(Comparator::NotEqual), 2),
            _ if rest.starts_with("<=") => (Symbol::Compare(Comparator::LessOrEqual), 2),
            _ if rest.starts_with(">=") => (Symbol::Compare(Comparator::GreaterOrEqual), 2),
            '<' => (Symbol::Compare(Comparator::Less), 1),
            '>' => (Symbol::Compare(Comparator::Greater), 1),
            '=' => (Symbol::Compare(Comparator::Equal), 1),
            _ => return self.refuse(format!("`{first}` has no place in an expression")),
        };
        self.at += length;
        Ok(Token::Symbol(symbol))
    }

    fn number(&mut self) -> String {
        let start = self.at;
        self.skip(|it| it.is_ascii_digit());
        if self.text[self.at..]
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
        {
            self.at += 1;
            self.skip(|it| it.is_ascii_digit());
        }
        if let Some(rest) = self.text[self.at..].strip_prefix(['e', 'E']) {
            let signed = rest.strip_prefix(['+', '-']);
            if signed.unwrap_or(rest).starts_with(|it: char| it.is_ascii_digit()) {
                self.at += 1 + usize::from(signed.is_some());
                self.skip(|it| it.is_ascii_digit());
            }
        }
        self.text[start..self.at].to_owned()
    }

    /// Reads a quoted text to its closing quote; `\'`, `\"`, `\\` and `\u{7c}` stand for single characters.
    fn quotation(&mut self, quote: char) -> Result<String, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(next) = self.peek() {
            self.at += next.len_utf8();
            match next {
                _ if next == quote => return Ok(text),
                '\\' => text.push(self.escape()?),
                _ => text.push(next),
            }
        }
        self.at = start;
        self.refuse("the quotation does not end")
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let rest = &self.text[self.at..];
        let code = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).map(|(code, _)| code);
        if let Some((code, character)) = code.and_then(|code| {
            let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            Some((code, character))
        }) {
            self.at += code.len() + 3;
            return Ok(character);
        }
        match rest.chars().next() {
            Some(it @ ('\\' | '\'' | '"')) => {
                self.at += 1;
                Ok(it)
            }
            _ => self.refuse(r"after \ a quote, \ or u{…} is expected"),
        }
    }
}

/// Whether a name can contain the character without being quoted.
pub(crate) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
