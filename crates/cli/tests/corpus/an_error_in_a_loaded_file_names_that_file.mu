#load "loaded/broken";
1 & ;
//! exit 2
//! stderr: broken.mu:2:
//! stderr: an_error_in_a_loaded_file_names_that_file.mu:2:5
