enum Room { a, b, c };
