//! A small deterministic random number generator: the same seed gives the same run on every machine.

/// SplitMix64: passes statistical tests, has no bad seeds, and is ten lines.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A generator for a seed and a purpose: different purposes draw from unrelated streams, so that one more draw
    /// in one place does not change what another place sees.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        for byte in purpose.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Random { state }
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound; zero for a bound of zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    /// An index into something of that length.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_purposes_differ() {
        let draw = |seed, purpose| {
            let mut random = Random::new(seed, purpose);
            [random.next(), random.next(), random.next()]
        };
        assert_eq!(draw(1, "data"), draw(1, "data"));
        assert_ne!(draw(1, "data"), draw(1, "inputs"));
        assert_ne!(draw(1, "data"), draw(2, "data"));
        let mut random = Random::new(7, "range");
        assert!((0..1000).all(|_| random.below(3) < 3));
    }
}
