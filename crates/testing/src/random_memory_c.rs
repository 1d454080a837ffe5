//! Random C programs with arrays, structures, pointers and a heap, with calls of `observe` to compare by.
//!
//! Each program is a bundle of functions whose names begin with `p<n>_`, so that many fit into one file. Everything is initialised before it is read. Most accesses are right; some are not, which a compiler with sanitizers
//! notices. Comments `/*@ … */` say which constructs were made, so that tests can count them.

use integers::explore::Random;
use std::fmt::Write;

/// What a program has in all its parts: globals, and functions that are called. `P` stands for the prefix.
const PRELUDE: &str = "
struct Pnode { int v; struct Pnode *next; };
struct Prec { int a; short b; int c[3]; struct Pnode *n; };
struct Pouter { struct Prec r[2]; int k; };
static int Pga[5] = {3, 1, 4, 1, 5}; static short Pgm[2][3] = {{1, 2, 3}, {4, 5}}; static unsigned char Pgc[4] = {[1] = 250, 7};
static struct Prec Pgr = {1, 2, {3, 4, 5}, 0}; static struct Pouter Pgo; static int *Pgp = &Pga[2]; static const int Ptable[4] = {9, 8, 7, 6};
static const char *const Pnames[2] = {\"red\", \"blue\"};
static void Pswap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void Pout(int x, int *q, int *r) { *q = x / 3; *r = x % 3; }
static struct Prec Pmake(int a, int b) { struct Prec r = {a, b, {a + b, a - b}, 0}; return r; }
static int Ptake(struct Prec r, int i) { r.c[i] += r.a; return r.c[i] - r.b; }
static int Psum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
static int Padd(int a, int b) { return a + b; } static int Psub(int a, int b) { return a - b; }
static int (*Pops[2])(int, int) = {Padd, Psub};
static int *Pmax(int *a, int *b) { return *a > *b ? a : b; }
static int Plength(const char *s) { const char *e = s; while (*e) e++; return e - s; }
static int Pstill(int k) { static int seen[3]; seen[k]++; return seen[k]; }
";

/// What programs with a heap have as well.
const HEAP: &str = "
static struct Pnode *Ppush(struct Pnode *l, int v) { struct Pnode *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
static int Pdeep(int n, int *up) { int own[2] = {n, *up}; if (n <= 0) return own[1]; int *mine = &own[1]; *mine += n; return Pdeep(n - 1, mine) + own[0]; }
";

struct Generator<'r> {
    random: &'r mut Random,
    out: String,
    n_names: usize,
    depth: usize,
    /// Whether accesses may be wrong.
    is_wild: bool,
    /// Whether something is allocated.
    has_heap: bool,
}

/// The text of program `n`: functions, and `void p<n>_main(void)`.
pub fn program(random: &mut Random, n: u64) -> String {
    let is_wild = random.below(3) == 0;
    let has_heap = random.below(3) > 0;
    let mut generator = Generator { random, out: String::new(), n_names: 0, depth: 0, is_wild, has_heap };
    generator.main();
    let prefix = format!("p{n}_");
    let mut text = String::new();
    for line in [PRELUDE, if has_heap { HEAP } else { "" }, generator.out.as_str()] {
        // A capital P before a small letter is the prefix.
        let bytes: Vec<char> = line.chars().collect();
        for (at, &c) in bytes.iter().enumerate() {
            let is_start = at == 0 || !(bytes[at - 1].is_alphanumeric() || bytes[at - 1] == '_');
            let is_prefix = c == 'P' && is_start && bytes.get(at + 1).is_some_and(char::is_ascii_lowercase);
            if is_prefix { text.push_str(&prefix) } else { text.push(c) }
        }
    }
    text
}

impl Generator<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn name(&mut self, kind: &str) -> String {
        self.n_names += 1;
        format!("{kind}{}", self.n_names)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.out, "  {text}").expect("writing to a string succeeds");
    }

    fn main(&mut self) {
        self.out.push_str("static void Pmain(void) {\n");
        self.line("int x = __VERIFIER_nondet_uchar() % 16, y = __VERIFIER_nondet_uchar() % 5, z = 2, la[4] = {1, 2};");
        self.line("struct Prec r1 = {1, 2, {3}}, r2 = Pmake(4, 5); struct Prec *rp = &r1; int *p = &la[1], **pp = &p;");
        self.line("struct Pnode *list = 0; char text[8] = \"abc\"; int own[4], *h = own;");
        if self.has_heap {
            self.line("h = malloc(4 * sizeof(int));");
        }
        self.line("for (int i = 0; i < 4; i++) h[i] = i * i;");
        let n = 6 + self.below(10);
        for _ in 0..n {
            self.statement();
        }
        self.line("for (int i = 0; i < 4; i++) observe(la[i]);");
        self.line("observe(r1.a + r1.b + r1.c[2]); observe(r2.c[0]); observe(x); observe(y); observe(z); observe(Psum(Pga, 5));");
        if self.has_heap {
            self.line("int left = 0; for (struct Pnode *l = list; l; ) { struct Pnode *t = l->next; left += l->v; free(l); l = t; } observe(left);");
            self.line("free(h);");
        }
        self.line("}");
        self.out.push('\n');
    }

    fn value(&mut self) -> String {
        let i = self.index(4);
        let j = self.index(3);
        match self.below(16) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => format!("la[{i}]"),
            3 => format!("Pga[{i}]"),
            4 => format!("Pgm[y % 2][{}]", self.below(3)),
            5 => format!("rp->c[{j}]"),
            6 => "*p".to_owned(),
            7 => format!("Ptable[{i}]"),
            8 => "(list ? list->v : 7)".to_owned(),
            9 => "**pp".to_owned(),
            10 => format!("Pgc[{i}]"),
            11 => format!("Pnames[y % 2][{j}]"),
            12 => "r2.a".to_owned(),
            13 => format!("h[{i}]"),
            _ => (self.below(9) as i64 - 2).to_string(),
        }
    }

    fn small(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.below(4) {
            0 => a,
            1 => format!("({a} + {b}) % 50"),
            2 => format!("({a} - {b}) % 50"),
            _ => format!("({a} > {b} ? {b} : {a})"),
        }
    }

    /// An index below a number; in wild programs it may be another one.
    fn index(&mut self, n: u64) -> String {
        if self.is_wild && self.below(24) == 0 {
            return ["x % 8", "-1", "y", "z + 3"][self.below(4) as usize].to_owned();
        }
        match self.below(3) {
            0 => self.below(n).to_string(),
            1 => format!("x % {n}"),
            _ => format!("(unsigned)y % {n}"),
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        match self.below(42) {
            0..=2 if self.depth < 2 => {
                let condition = self.small();
                self.line(&format!("if ({condition}) {{"));
                self.block();
            }
            3..=4 if self.depth < 2 => {
                let i = self.name("i");
                let n = 1 + self.below(3);
                self.line(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
                self.block();
            }
            5 if self.depth < 2 => {
                self.line("/*@ block with an array */ { int tmp[2] = {x, y}; p = &tmp[y % 2]; *p += 1;");
                self.block();
                if !self.is_wild {
                    self.line("p = &la[1];");
                }
            }
            34.. => self.jump(),
            n => self.simple(n),
        }
    }

    /// Jumps out of blocks, into them, and past declarations; labels have names of their own.
    fn jump(&mut self) {
        let (a, b) = (self.name("L"), self.name("L"));
        let kept = if self.is_wild && self.below(3) == 0 { "q" } else { "&la[2]" };
        let e = self.small();
        let text = match self.below(8) {
            0 => format!("/*@ jump out of blocks */ {{ int in[2] = {{x, {e}}}; int *q = &in[1]; {{ int deep = *q; q = &deep; if (deep > 1) goto {a}; *q += 2; }} q = in; {a}: ; p = {kept}; }} observe(*p); p = &la[1];"),
            1 => format!("/*@ jump past a declaration */ {{ if (y % 2) goto {a}; int in[2] = {{7, {e}}}; observe(in[1]); {a}: in[0] = 3; in[1] = x; int *q = in; observe(q[0] + q[1]); p = {kept}; }} observe(*p); p = &la[1];"),
            2 => format!("/*@ jump into a block */ {{ int n = 0, *q = &la[0]; if (x % 2) goto {a}; while (n < 3) {{ int in[2] = {{n, {e}}}; observe(in[1]); {a}: in[0] = n; q = in; observe(*q); n++; if (n == y) goto {b}; }} {b}: p = {kept}; }} observe(*p); p = &la[1];"),
            3 => "/*@ switch past a declaration */ switch (x % 4) { int in[2]; struct Prec s; case 0: in[0] = 3; { int *q = in; observe(*q); } break; case 1: s = r1; observe(s.a); case 2: { int own = y; int *q = &own; observe(*q); } break; default: s.b = 4; observe(s.b); }".to_owned(),
            4 => format!("/*@ loop by jumps */ {{ int n = 0; {a}: ; int in[2]; in[1] = n; {{ int deep[2] = {{n}}; int *q = y % 2 ? deep : in; q[1] += {e}; observe(q[1]); if (++n < 3) goto {a}; }} }}"),
            5 => "/*@ Duff's device */ { int n = x % 6 + 1, k = (n + 2) / 3, *q = la, s = 0; switch (n % 3) { case 0: do { s += q[s % 2]; case 2: s += 2; case 1: s -= q[1] % 7; } while (--k > 0); } observe(s % 100); }".to_owned(),
            6 => format!("/*@ break and continue */ for (int n = 0; n < 4; n++) {{ int in[2] = {{n, {e}}}; int *q = in; if (n == y) continue; if (n == 3) {{ p = {kept}; break; }} observe(q[n % 2]); }} observe(*p); p = &la[1];"),
            _ => format!("/*@ block as a value */ {{ int *q = la; z = ({{ int in[2] = {{{e}, 4}}; q = {}; in[x % 2]; }}); observe(z); observe(*q); z = 2; }}", if kept == "q" { "in" } else { "&la[3]" }),
        };
        self.line(&text);
    }

    fn simple(&mut self, n: u64) {
        // Functions that allocate or call themselves are left out of programs without a heap.
        let n = if !self.has_heap && matches!(n, 16..=21 | 25 | 29 | 33) { n % 16 } else { n };
        let e = self.small();
        let (i, j) = (self.index(4), self.index(3));
        let k = self.below(3);
        let text = match n {
            0 => format!("/*@ array element */ la[{i}] = {e};"),
            1 => format!("/*@ global array */ Pga[{i}] = {e};"),
            2 => format!("/*@ array of arrays */ Pgm[{}][{k}] = {e};", self.below(2)),
            3 => format!("/*@ member by pointer */ rp->a = {e};"),
            4 => format!("/*@ array member */ rp->c[{j}] = {e};"),
            5 => "/*@ pointer to another structure */ rp = y > 2 ? &r2 : &r1;".to_owned(),
            6 => format!("/*@ pointer into an array */ p = &la[{i}];"),
            7 => format!("/*@ store through a pointer */ *p = {e};"),
            8 => format!("/*@ pointer to a pointer */ pp = &p; *pp = &Pga[{i}]; **pp = {e};"),
            9 => format!("/*@ pointer arithmetic */ {{ int *q = la + {k}; q++; *q = {e}; observe(q - la); }}"),
            10 => format!("/*@ pointers compared */ {{ int *q = &la[{i}]; observe(q < la + 2); observe(q == p); }}"),
            11 => "/*@ structure assigned */ r1 = r2; r1.c[1]++;".to_owned(),
            12 => format!("/*@ structure returned */ r2 = Pmake({e}, {k});"),
            13 => format!("/*@ structure passed */ x = (unsigned)Ptake(r2, {j}) % 8;"),
            14 => "/*@ swapped by pointers */ Pswap(&x, &y); y = (unsigned)y % 5; x = (unsigned)x % 16;".to_owned(),
            15 => format!("/*@ out-parameters */ Pout({e}, &z, &la[{i}]);"),
            16 => format!("/*@ list grows */ list = Ppush(list, {e});"),
            17 => "/*@ list is walked */ { int s = 0; for (struct Pnode *l = list; l; l = l->next) s += l->v; observe(s); }".to_owned(),
            18 => "/*@ list shrinks */ if (list) { struct Pnode *t = list; list = t->next; free(t); }".to_owned(),
            19 => format!("/*@ heap element */ h[{i}] = {e};"),
            20 => "/*@ realloc */ h = realloc(h, 6 * sizeof(int)); h[4] = h[5] = x; h = realloc(h, 4 * sizeof *h);".to_owned(),
            21 => "/*@ calloc */ { int *c = calloc(3, sizeof(int)); c[1] = x; observe(c[0] + c[1] + c[2]); free(c); }".to_owned(),
            22 => format!("/*@ function pointer */ la[{i}] = Pops[y % 2]({k}, x);"),
            23 => format!("/*@ pointer returned */ *Pmax(&la[0], &la[{i}]) = {k};"),
            24 => "/*@ text */ observe(Plength(text)); text[y % 4] = 'q';".to_owned(),
            25 => "/*@ local of a recursion */ observe(Pdeep(x % 4, &y));".to_owned(),
            26 => format!("/*@ static local array */ observe(Pstill({j}));"),
            27 => format!("/*@ array of structures */ Pgo.r[y % 2].c[{j}] = {e}; Pgo.k++; observe(Pgo.r[1].c[{k}]);"),
            28 => "/*@ memset and memcpy */ { int m[4]; memset(m, 0, sizeof m); memcpy(m, la, 2 * sizeof(int)); observe(Psum(m, 4)); }".to_owned(),
            29 => "/*@ length by a variable */ { int n = y % 5 + 1; int v[n]; for (int i = 0; i < n; i++) v[i] = i; observe(Psum(v, n)); }".to_owned(),
            30 => "/*@ compound literal */ r1 = (struct Prec){.b = 3, .c = {[2] = x}}; observe(r1.c[2] + r1.a);".to_owned(),
            31 => "/*@ increments */ { int i = 0; la[i++] = la[i + 1]; int *q = la; *q++ = 4; (*q)++; observe(*q + i); }".to_owned(),
            32 => format!("/*@ one region for two members */ {{ struct Ptwo {{ int a, b; }} t = {{1, 2}}; int *w = y % 2 ? &t.a : &t.b; *w = {e}; observe(t.a * 3 + t.b); }}"),
            _ => "/*@ member of a list */ rp->n = list; if (rp->n) { rp->n->v = (rp->n->v + 1) % 50; observe(rp->n->v); } rp->n = 0;".to_owned(),
        };
        self.line(&text);
    }
}
