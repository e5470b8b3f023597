//! Attributes of one entity as small numbers, and sets of them as bits.

/// An attribute of an entity, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Attr(u8);

impl Attr {
    /// The most attributes that one entity can have here.
    pub(crate) const MOST: usize = 128;

    pub(crate) fn new(index: usize) -> Self {
        debug_assert!(index < Self::MOST, "entities with more attributes are refused when resolving");
        Attr(index as u8)
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of attributes of one entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Attrs(u128);

impl Attrs {
    pub(crate) const NONE: Attrs = Attrs(0);

    pub(crate) fn insert(&mut self, attr: Attr) {
        self.0 |= 1 << attr.0;
    }

    pub(crate) fn contains(self, attr: Attr) -> bool {
        self.0 >> attr.0 & 1 == 1
    }

    pub(crate) fn is_subset(self, of: Attrs) -> bool {
        self.0 & !of.0 == 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn union(self, other: Attrs) -> Attrs {
        Attrs(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: Attrs) -> Attrs {
        Attrs(self.0 & other.0)
    }

    pub(crate) fn minus(self, other: Attrs) -> Attrs {
        Attrs(self.0 & !other.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Attr> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let next = bits.trailing_zeros();
            bits &= bits - 1;
            Some(Attr(next as u8))
        })
    }
}

impl FromIterator<Attr> for Attrs {
    fn from_iter<I: IntoIterator<Item = Attr>>(attrs: I) -> Self {
        let mut set = Attrs::NONE;
        set.extend(attrs);
        set
    }
}

impl Extend<Attr> for Attrs {
    fn extend<I: IntoIterator<Item = Attr>>(&mut self, attrs: I) {
        attrs.into_iter().for_each(|attr| self.insert(attr));
    }
}
