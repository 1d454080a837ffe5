enum Light { red, yellow, green };
enum Wine { white, red };
exists Wine w. w = green;
//! exit 2
//! stderr: an_enumerator_of_another_enum_is_an_error.mu:3:20
//! stderr: green
//! stderr: Wine
