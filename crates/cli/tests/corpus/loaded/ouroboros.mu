#load "tail";
