bool R(bool x) x { display x };
bool Q(bool x) x { assume x;
bool P(bool x) x { show };
//! exit 2
//! stderr: expected `show`, `alloccs`, `witcs`, `assume` or `cofactor`, found `display`
//! stderr: expected `}` or an operator, found `;`
//! stderr: expected a variable or a text, found `}`
