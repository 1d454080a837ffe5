//! Values that have names: one table each, for every way to write a question down.

/// A type whose values have names.
pub trait Named: Copy + Sized + Send + Sync + 'static {
    /// Each value, its name, and what it is.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// The value that a name stands for.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(value, _, _)| *value)
    }
}

/// An enumeration with its table: what a value is, is what its documentation says.
macro_rules! named {
    ($(#[$attribute:meta])* pub enum $ty:ident { $(#[doc = $about:literal] $(#[$default:ident])? $value:ident = $name:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $ty {
            $(#[doc = $about] $(#[$default])? $value,)+
        }

        impl crate::options::Named for $ty {
            const ALL: &'static [(Self, &'static str, &'static str)] = &[$(($ty::$value, $name, $about)),+];
        }

        impl $ty {
            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $($ty::$value => $name),+
                }
            }
        }
    };
}

pub(crate) use named;
