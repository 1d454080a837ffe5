//! Small programs of which each does something wrong, or shows a number where nothing is known, if a certain way that pointers go is not seen.

use super::memory::{translate, walked};
use integers::trace::End;

/// A way, the program in which pointers go it, and what is observed: in each the same object is named in two ways, and something is stored by one of them and loaded by the other.
const ALIASED: &[(&str, &str, &[i128])] = &[
    ("assignment", "int x = 1, y = 2; int *p = &x; int *q; q = p; *q = 5; observe(x); observe(y);", &[5, 2]),
    ("initialiser", "int a[3] = {1, 2, 3}; int *p = a + 1; int *q = p; *q = 5; observe(a[1]);", &[5]),
    (
        "assignment in an expression",
        "int a[3] = {1}; int *p, *q; (q = p = a)[1] = 4; observe(a[1]); observe(*(q += 1)); observe(*q++); observe(*--q);",
        &[4, 4, 4, 4],
    ),
    (
        "address of a member",
        "struct s { int n, m; } t = {1, 2}; int *p = &t.m; *p = 7; observe(t.m); observe(t.n); struct s *r = &t; p = &r->n; *p = 8; observe(t.n);",
        &[7, 1, 8],
    ),
    (
        "address of a member that is a pointer",
        "struct s { int *n; } t; int x = 1; int **p = &t.n; *p = &x; *t.n = 3; observe(x);",
        &[3],
    ),
    ("argument", "int x = 1, y = 2; put(&x, 6); observe(x); put(&y, 7); observe(y); observe(x);", &[6, 7, 6]),
    (
        "result",
        "int a[2] = {1, 2}; int *p = same(a); p[1] = 9; observe(a[1]); *same(&a[0]) = 8; observe(a[0]);",
        &[9, 8],
    ),
    (
        "argument and result of a function pointer",
        "int x = 1, y = 2; int *(*f)(int *) = observed ? other : same; *f(&x) = 5; observe(x); f = other; *f(&y) = 6; observe(y); observe(kept == &y);",
        &[5, 6, 1],
    ),
    (
        "table of functions",
        "void (*t[2])(int *, int) = {put, twice}; int x = 1, y = 2; t[0](&x, 5); t[1](&y, 6); observe(x); observe(y);",
        &[5, 12],
    ),
    (
        "memcpy of pointers",
        "int x = 1, y = 2; int *a[2] = {&x, &y}; int *b[2]; memcpy(b, a, sizeof a); *b[1] = 5; observe(y); *a[0] = 6; observe(*b[0]);",
        &[5, 6],
    ),
    (
        "memcpy of a structure",
        "struct s { int n; int *p; }; int x = 1; struct s t = {2, &x}; struct s u; memcpy(&u, &t, sizeof t); *u.p = 5; observe(x); observe(u.n);",
        &[5, 2],
    ),
    ("what memset gives", "int x = 1; int *p = memset(&x, 0, sizeof x); *p = 5; observe(x);", &[5]),
    (
        "what memcpy gives",
        "int x = 1, y = 2; int *p = memcpy(&x, &y, sizeof x); observe(x); *p = 5; observe(x);",
        &[2, 5],
    ),
    (
        "array of pointers",
        "int x = 1, y = 2; int *t[2]; t[0] = &x; t[1] = &y; int i = observed + 1; *t[i] = 5; observe(y); y = 6; observe(*t[1]); int **e = t; **e = 7; observe(x);",
        &[5, 6, 7],
    ),
    (
        "array of pointers with initial values",
        "int x = 1, y = 2; int *t[] = {&x, &y}; *t[1] = 5; observe(y); observe(*t[0]);",
        &[5, 1],
    ),
    (
        "static array of pointers",
        "*table[1] = 5; observe(second); first = 6; observe(*table[0]); observe(*there->at);",
        &[5, 6, 5],
    ),
    (
        "structure assigned",
        "struct s { int *p; }; int x = 1; struct s t, u; t.p = &x; u = t; *u.p = 5; observe(x); struct s v = u; *v.p = 6; observe(x);",
        &[5, 6],
    ),
    (
        "structure passed and given back",
        "int x = 1; struct box b = {&x}; struct box c = turned(b); *c.at = 5; observe(x); *turned(c).at = 6; observe(x);",
        &[5, 6],
    ),
    (
        "structure in a structure",
        "struct s { struct box b[2]; } t; int x = 1; t.b[1].at = &x; struct s *p = &t; struct box *q = &p->b[1]; *q->at = 5; observe(x);",
        &[5],
    ),
    (
        "choice",
        "int x = 1, y = 2; int *p = observed ? &x : &y; *p = 5; observe(y); p = observed == 5 ? &x : &y; *p = 6; observe(x); observe(*(observed == 6 ? p : &y));",
        &[5, 6, 6],
    ),
    (
        "choice between structures",
        "struct box b, c; int x = 1, y = 2; b.at = &x; c.at = &y; struct box d = observed ? b : c; *d.at = 5; observe(y); *(observed == 5 ? b : c).at = 6; observe(x);",
        &[5, 6],
    ),
    (
        "sum",
        "int a[4] = {1, 2, 3, 4}; int *p = 1 + a; observe(*p); p = p + 2 - 1; observe(*p); *(p - 1) = 7; observe(a[1]); observe(p - a);",
        &[2, 3, 7, 2],
    ),
    (
        "pointer to a pointer",
        "int x = 1, y = 2; int *p = &x; int **q = &p; *q = &y; *p = 5; observe(y); **q = 6; observe(y); observe(x);",
        &[5, 6, 1],
    ),
    (
        "list",
        "struct node { int v; struct node *next; } a = {1, 0}, b = {2, &a}; struct node *p = &b; p->next->v = 5; observe(a.v); p = p->next; observe(p->v); a.next = &b; p->next->v = 6; observe(b.v);",
        &[5, 5, 6],
    ),
    (
        "what is allocated",
        "int *p = malloc(4 * sizeof(int)); int *q = p; p[1] = 5; observe(q[1]); q = realloc(p, 8 * sizeof(int)); observe(q[1]); q[7] = 6; int *r = q + 7; observe(*r); free(q);",
        &[5, 5, 6],
    ),
    (
        "what grows",
        "int *p = malloc(4 * sizeof(int)); p[1] = 5; int *q = realloc(p, 8 * sizeof(int)); observe(q[1]); q[7] = 6; observe(*(q + 7)); free(q);",
        &[5, 6],
    ),
    ("block with a value", "int x = 1; int *p = ({ int *q = &x; q; }); *p = 5; observe(x);", &[5]),
    ("comma", "int x = 1, y = 2; int *p = (y = 3, &x); *p = 5; observe(x); observe(y);", &[5, 3]),
    ("compound literal", "int x = 1; struct box *b = &(struct box){&x}; *b->at = 5; observe(x);", &[5]),
    (
        "cast",
        "int x = 1; void *v = &x; *(int *)v = 5; observe(x); const int *c = (const int *)v; observe(*c);",
        &[5, 5],
    ),
    (
        "text",
        "char *s = \"abc\"; const char *t = s + 1; observe(*t); char u[] = \"xyz\"; char *w = u; w[2] = 1; observe(u[2]);",
        &[98, 1],
    ),
    (
        "comparison",
        "int x = 1, y = 2; int *p = &x, *q = &y; observe(p == q); q = p; observe(p == q); *q = 5; observe(x);",
        &[0, 1, 5],
    ),
    (
        "one region for two members",
        "struct s { int n, d[2], m; } t = {1, {2, 3}, 4}; int *p = observed ? &t.n : &t.d[1]; *p = 5; observe(t.d[1]); p = &t.m; *p = 6; observe(t.n); observe(t.d[0]); observe(t.m);",
        &[5, 1, 2, 6],
    ),
    (
        "kept by a function",
        "int x = 1; int *(*f)(int *) = other; f(&x); *kept = 5; observe(x); x = 6; observe(*kept);",
        &[5, 6],
    ),
];

/// Something that numbers do not follow, and a program that shows what comes of it: nothing is known.
const LOST: &[(&str, &str)] = &[
    (
        "a structure as another one",
        "struct s { int a; } t = {1}; struct u { short b, c; } *p = (struct u *)&t; p->b = 5; observe(t.a);",
    ),
    ("numbers as bytes", "int x = 1; char *p = (char *)&x; *p = 5; observe(x);"),
    ("numbers of another width", "long x = 1; *(int *)&x = 5; observe(x);"),
    ("a pointer in a number", "int x = 1; long n = (long)&x; int *p = (int *)n; *p = 5; observe(x);"),
    (
        "a pointer in a number by itself",
        "int x = 1; unsigned long n = (unsigned long)&x + 0; *(int *)n = 5; observe(x);",
    ),
    ("elements counted in bytes", "int a[6] = {1, 2, 3}; int *p = (int *)((char *)a + 4); observe(*p);"),
    ("two members of a union", "union u { int n; char c[4]; } t; t.n = 1; t.c[0] = 5; observe(t.n);"),
    (
        "pointers at what is lost",
        "struct s { int *p; } t; int x = 1; t.p = &x; char *c = (char *)&t; c[0] = 5; observe(*t.p);",
    ),
    (
        "what points to what is lost",
        "int x = 1; int *p = &x; int **q = &p; char *c = (char *)q; c[1] = 5; observe(*p);",
    ),
    (
        "a pointer as a pointer to pointers",
        "int x = 1; void *v = &x; int **q = v; char *c = (char *)q; *c = 2; observe(x);",
    ),
    ("what nobody defines", "int x = 1; elsewhere(&x); observe(x);"),
    ("what nobody defines gets hold of", "int x = 1; int *p = &x; elsewhere(&p); observe(x);"),
    ("what nobody defines sees", "elsewhere(0); observe(seen[1]);"),
    ("what nobody defines gives", "int *p = given(); observe(*p);"),
    ("volatile", "volatile int x = 1; observe(x);"),
    ("a volatile object", "int x = 1; volatile int *p = &x; observe(*p);"),
    ("what is defined elsewhere", "observe(abroad[1]);"),
];

const AROUND: &str = "
static void put(int *p, int v) { *p = v; }
static void twice(int *p, int v) { *p = 2 * v; }
static int *same(int *p) { return p; }
static int *kept;
static int *other(int *p) { kept = p; return p; }
struct box { int *at; };
static struct box turned(struct box b) { struct box c = {b.at}; return c; }
static int first = 1, second = 2;
static int *table[2] = {&first, &second};
static struct box boxes[2] = {{&first}, {.at = &second}}, *there = &boxes[1];
int seen[3]; extern int abroad[3];
void elsewhere(void *); int *given(void);
";

fn whole(body: &str) -> String {
    format!("{AROUND}void p0_main(void) {{ {body} }}\n")
}

#[test]
fn what_is_stored_by_one_name_is_loaded_by_another() {
    for (way, body, expected) in ALIASED {
        let (end, observed) = walked(&translate(&whole(body), 0), &[]);
        assert_eq!((end, &observed[..]), (End::Returned, *expected), "{way}\n{body}");
    }
}

#[test]
fn of_what_numbers_do_not_follow_nothing_is_known() {
    for (what, body) in LOST {
        let (end, observed) = walked(&translate(&whole(body), 0), &[]);
        assert!(matches!(end, End::Unknown(_) | End::Returned), "{what}: {end:?}\n{body}");
        assert!(observed.is_empty(), "{what}: {observed:?}\n{body}");
    }
}

/// Pointers that are compared count the elements of one region: numbers of different regions may be equal.
#[test]
fn what_is_compared_is_in_one_region() {
    let arrays = "static int a[20], b[20]; int *p = a + observed, *q = b + observed; *p = 1; *q = 2;";
    for (comparison, n_regions) in [
        ("observe(*p + *q);", 2),
        ("observe(p == q);", 1),
        ("if (p != q) observe(1);", 1),
        ("observe(p < q);", 1),
        ("observe(p - q);", 1),
    ] {
        let program = translate(&format!("void p0_main(void) {{ {arrays} {comparison} }}\n"), 0);
        let regions = program.memory.regions.iter().map(|region| &region.name).collect::<Vec<_>>();
        assert_eq!(regions.len(), n_regions, "{comparison} {regions:?}");
    }
}
