//! Grammar of a server's behaviour in independent dimensions. Kinds of servers are drawn from this grammar. [pure]

use std::fmt;

use rand::{Rng, seq::IndexedRandom};

/// Probability that a dimension deviates from a well-behaved server.
const ODD: f64 = 0.3;

macro_rules! dimension {
    ($(#[$doc:meta])* $name:ident { $first:ident, $($other:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $first, $($other),+ }

        impl $name {
            /// Choice of a well-behaved server.
            pub const USUAL: Self = Self::$first;
            /// All choices that deviate from a well-behaved server.
            pub const ODD: &[Self] = &[$(Self::$other),+];

            fn draw(random: &mut impl Rng) -> Self {
                if random.random_bool(ODD) { *Self::ODD.choose(random).unwrap_or(&Self::USUAL) } else { Self::USUAL }
            }
        }
    };
}

dimension! {
    /// Status of the answer to a request without a range.
    Status { Ok, NonAuthoritative, PartialWhole, PartialHalf, AcceptedOnce, Accepted, NoContent, ResetContent, RedirectNowhere,
             UnavailableOnce, ErrorPage }
}
dimension! {
    /// Framing of the body.
    Framing { Length, Chunked, UntilClose, OldUntilClose, LengthAndChunked, LengthTwice, TwoLengths, Surplus, Glued,
              ChunksUnended }
}
dimension! {
    /// Form of the head.
    Head { Plain, WarningInFront, LineWithoutColon, SpaceBeforeColon, Folded, BareLineFeed, NoReason, Latin1, ControlByte,
           BlankLineFirst, InterimFirst }
}
dimension! {
    /// The answer to a request with a range.
    Ranges { Honoured, Ignored, SliceAs200, SliceAs200Unstated, TailAs200Unstated, EmptyAs200, Shifted, OtherRange, Unstated,
             Shorter, TotalTooSmall, TotalTooLarge, TotalUnknown, Multipart, BadRequest, Forbidden, NotFound, NotAllowed, Gone,
             Unsatisfiable, UnsatisfiableStated, ServerError, Unavailable, Reset, Closed }
}
dimension! {
    /// The validators that distinguish one version of the file from another.
    Validators { StrongTag, WeakTag, Absent, DateOnly, NewTagEachTime }
}
dimension! {
    /// Length stated for a whole body.
    Length { Right, OneTooLarge, OneTooSmall, Huge }
}
dimension! {
    /// Encoding of the body, and its statement in the head.
    Encoding { Unnamed, Identity, GzipUnasked, GzipClaimed }
}
dimension! {
    /// The server's treatment of connections.
    Connection { Kept, Closing, EndsOnce, ResetsOnce, EndsTwice, ReusedCloses, OneAtATime, OneAtATimeReset }
}
dimension! {
    /// Whether the file changes while it is fetched.
    Change { Never, Announced, Silent, SilentAfterTheFirst64K, Longer, Shorter }
}

/// Kind of server: one choice per dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the type of each field describes it")]
pub struct Kind {
    pub status: Status,
    pub framing: Framing,
    pub head: Head,
    pub ranges: Ranges,
    pub validators: Validators,
    pub length: Length,
    pub encoding: Encoding,
    pub connection: Connection,
    pub change: Change,
}

impl Kind {
    /// A well-behaved server.
    pub const USUAL: Self = Self {
        status: Status::USUAL,
        framing: Framing::USUAL,
        head: Head::USUAL,
        ranges: Ranges::USUAL,
        validators: Validators::USUAL,
        length: Length::USUAL,
        encoding: Encoding::USUAL,
        connection: Connection::USUAL,
        change: Change::USUAL,
    };

    /// Draws a random kind.
    pub fn draw(random: &mut impl Rng) -> Self {
        let mut kind = Self {
            status: Status::draw(random),
            framing: Framing::draw(random),
            head: Head::draw(random),
            ranges: Ranges::draw(random),
            validators: Validators::draw(random),
            length: Length::draw(random),
            encoding: Encoding::draw(random),
            connection: Connection::draw(random),
            change: Change::draw(random),
        };
        if matches!(kind.framing, Framing::Surplus | Framing::Glued) {
            // A larger stated length would make the surplus bytes part of the file.
            kind.length = Length::Right;
        }
        kind
    }

    /// Kinds whose file changes under the same validator, and whose answers to ranges are unusable.
    pub fn changed_behind_ranges() -> [Self; 3] {
        [Ranges::Shifted, Ranges::OtherRange, Ranges::Shorter].map(|ranges| Self {
            ranges,
            change: Change::Silent,
            ..Self::USUAL
        })
    }

    /// Kinds that refuse every range and whose file changes its size without a strong validator.
    pub fn resized_behind_refused_ranges() -> Vec<Self> {
        let refusals = [
            Ranges::BadRequest,
            Ranges::Forbidden,
            Ranges::NotFound,
            Ranges::NotAllowed,
            Ranges::Gone,
            Ranges::ServerError,
            Ranges::Unavailable,
        ];
        let sizes = [
            (Change::Longer, Validators::Absent),
            (Change::Shorter, Validators::WeakTag),
            (Change::Longer, Validators::DateOnly),
        ];
        let of = |ranges| sizes.map(|(change, validators)| Self { ranges, change, validators, ..Self::USUAL });
        refusals.into_iter().flat_map(of).collect()
    }

    /// Kinds that answer a range with a body that ends cleanly before the stated range.
    pub fn short_ranges_in_order() -> [Self; 2] {
        [Framing::Chunked, Framing::LengthAndChunked].map(|framing| Self { framing, ranges: Ranges::Shifted, ..Self::USUAL })
    }

    /// Number of kinds that [`Self::single`] returns.
    pub const SINGLE: usize = 1
        + Status::ODD.len()
        + Framing::ODD.len()
        + Head::ODD.len()
        + Ranges::ODD.len()
        + Validators::ODD.len()
        + Length::ODD.len()
        + Encoding::ODD.len()
        + Connection::ODD.len()
        + Change::ODD.len();

    /// Returns the well-behaved kind, and every kind with exactly one deviation.
    pub fn single() -> Vec<Self> {
        let usual = Self::USUAL;
        let mut all = vec![usual];
        all.extend(Status::ODD.iter().map(|&status| Self { status, ..usual }));
        all.extend(Framing::ODD.iter().map(|&framing| Self { framing, ..usual }));
        all.extend(Head::ODD.iter().map(|&head| Self { head, ..usual }));
        all.extend(Ranges::ODD.iter().map(|&ranges| Self { ranges, ..usual }));
        all.extend(Validators::ODD.iter().map(|&validators| Self { validators, ..usual }));
        all.extend(Length::ODD.iter().map(|&length| Self { length, ..usual }));
        all.extend(Encoding::ODD.iter().map(|&encoding| Self { encoding, ..usual }));
        all.extend(Connection::ODD.iter().map(|&connection| Self { connection, ..usual }));
        all.extend(Change::ODD.iter().map(|&change| Self { change, ..usual }));
        all
    }
}

impl fmt::Display for Kind {
    /// Writes the choices that deviate from a well-behaved server.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let odd = [
            (self.status != Status::USUAL).then(|| format!("{:?}", self.status)),
            (self.framing != Framing::USUAL).then(|| format!("{:?}", self.framing)),
            (self.head != Head::USUAL).then(|| format!("{:?}", self.head)),
            (self.ranges != Ranges::USUAL).then(|| format!("ranges {:?}", self.ranges)),
            (self.validators != Validators::USUAL).then(|| format!("{:?}", self.validators)),
            (self.length != Length::USUAL).then(|| format!("length {:?}", self.length)),
            (self.encoding != Encoding::USUAL).then(|| format!("{:?}", self.encoding)),
            (self.connection != Connection::USUAL).then(|| format!("{:?}", self.connection)),
            (self.change != Change::USUAL).then(|| format!("changes {:?}", self.change)),
        ];
        let odd: Vec<_> = odd.into_iter().flatten().collect();
        if odd.is_empty() { f.write_str("well-behaved") } else { f.write_str(&odd.join(" + ")) }
    }
}
