//! Index newtypes: a `u32` that can only index the vector it was made for.

/// Declares `u32` newtypes with `new` and `index`.
#[macro_export]
macro_rules! index_type {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of position `index`.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entries"))
            }

            /// The position this id stands for.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}
