//! Random C programs whose meaning C fixes up to overflow and division by zero, with calls of `observe` to compare by.
//!
//! Each program is a bundle of functions whose names begin with `p<n>_`, so that many fit into one file. Where C leaves the order of evaluation
//! open, it does not matter: functions that occur inside expressions touch nothing but their own variables.
//!
//! Comments `/*@ … */` say which constructs were made, so that tests can count them.

use integers::explore::Random;
use std::fmt::Write;

const TYPES: [&str; 11] = [
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "short",
    "unsigned short",
    "signed char",
    "unsigned char",
    "long long",
    "unsigned long long",
    "_Bool",
];

const NONDET: [&str; 5] = ["int", "uint", "short", "uchar", "longlong"];

/// A program under construction.
struct Generator<'r> {
    random: &'r mut Random,
    prefix: String,
    out: String,
    /// The variables that can be used here.
    scope: Vec<String>,
    /// The types that have names here.
    types: Vec<String>,
    /// The tags of enumerations outside of functions.
    tags: Vec<String>,
    /// The constants of enumerations that can be used here, small ones and others.
    small: Vec<String>,
    large: Vec<String>,
    /// The members of a structure that have few bits.
    bit_fields: Vec<String>,
    /// Functions that may be called inside expressions, with the number of their parameters.
    pure: Vec<(String, usize)>,
    /// Functions that are statements.
    actions: Vec<(String, usize)>,
    n_names: usize,
    depth: usize,
    in_loop: bool,
}

/// The text of program `n`: functions, and `void p<n>_main(void)`.
pub fn program(random: &mut Random, n: u64) -> String {
    let mut generator = Generator {
        random,
        prefix: format!("p{n}_"),
        out: String::new(),
        scope: Vec::new(),
        types: Vec::new(),
        tags: Vec::new(),
        small: Vec::new(),
        large: Vec::new(),
        bit_fields: Vec::new(),
        pure: Vec::new(),
        actions: Vec::new(),
        n_names: 0,
        depth: 0,
        in_loop: false,
    };
    generator.whole();
    generator.out
}

impl Generator<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    fn name(&mut self, kind: &str) -> String {
        self.n_names += 1;
        format!("{}{kind}{}", self.prefix, self.n_names)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len() as u64) as usize].clone()
    }

    fn whole(&mut self) {
        for _ in 0..3 {
            self.type_declaration();
        }
        self.structure();
        let mut globals = Vec::new();
        for _ in 0..3 {
            let (ty, name, value) = (self.ty(), self.name("g"), self.below(40) as i64 - 20);
            writeln!(self.out, "{ty} {name} = {value};").unwrap();
            globals.push(name);
        }
        for _ in 0..2 {
            self.function(true, &[]);
        }
        for _ in 0..2 {
            self.function(false, &globals);
        }
        self.scope = globals;
        let prefix = self.prefix.clone();
        writeln!(self.out, "void {prefix}main(void) {{").unwrap();
        for _ in 0..3 {
            self.declaration();
        }
        for _ in 0..8 {
            self.statement();
        }
        for name in self.scope.clone() {
            writeln!(self.out, "  observe({name});").unwrap();
        }
        self.out.push_str("}\n");
    }

    /// A function that may call itself, as long as its first parameter allows.
    fn function(&mut self, is_pure: bool, globals: &[String]) {
        let (ty, name) = (self.ty(), self.name("f"));
        let n_params = 1 + self.below(2) as usize;
        let params: Vec<String> = (0..n_params).map(|_| self.name("a")).collect();
        let types: Vec<String> =
            (0..n_params).map(|n| if n == 0 { "int".to_owned() } else { self.ty() }).collect();
        let list: Vec<String> = types.iter().zip(&params).map(|(ty, name)| format!("{ty} {name}")).collect();
        let declared = match self.below(3) {
            0 => format!("/*@ function in brackets */ ({name})"),
            1 => format!("/*@ function in brackets */ (({name}))"),
            _ => name.clone(),
        };
        if self.below(3) == 0 {
            writeln!(self.out, "/*@ prototype */ {ty} {declared}({});", types.join(", ")).unwrap();
        }
        writeln!(self.out, "{ty} {declared}({}) {{", list.join(", ")).unwrap();
        writeln!(self.out, "  int fuel{name} = {0} > 4 || {0} < 0 ? 4 : {0};", params[0]).unwrap();
        self.scope = globals.iter().cloned().chain(params.iter().cloned()).collect();
        let saved = if is_pure { std::mem::take(&mut self.actions) } else { Vec::new() };
        self.declaration();
        if !is_pure {
            self.static_variable();
        }
        if self.below(2) == 0 {
            let args: Vec<String> = (0..n_params)
                .map(|n| if n == 0 { format!("fuel{name} - 1") } else { self.expression(1) })
                .collect();
            let into = self.name("v");
            writeln!(self.out, "  long {into} = 1;").unwrap();
            writeln!(self.out, "  if (fuel{name} > 0) {into} = {name}({});", args.join(", ")).unwrap();
            self.scope.push(into);
        }
        for _ in 0..2 {
            self.quiet_statement(is_pure);
        }
        let result = self.expression(2);
        writeln!(self.out, "  return {result};\n}}").unwrap();
        if is_pure {
            self.pure.push((name, n_params));
            self.actions = saved;
        } else {
            self.actions.push((name, n_params));
        }
        self.scope.clear();
    }

    fn quiet_statement(&mut self, is_pure: bool) {
        if is_pure { self.assignment() } else { self.statement() }
    }

    fn declaration(&mut self) {
        let (ty, value, name) = (self.ty(), self.expression(2), self.name("v"));
        match self.below(6) {
            0 => writeln!(self.out, "  /*@ variable in brackets */ {ty} ({name}) = ({value});").unwrap(),
            1 => writeln!(self.out, "  /*@ value in braces */ {ty} {name} = {{{value}}};").unwrap(),
            _ => writeln!(self.out, "  {ty} {name} = {value};").unwrap(),
        }
        self.scope.push(name);
    }

    /// A variable that keeps its value from call to call.
    fn static_variable(&mut self) {
        let (ty, name, value) = (self.ty(), self.name("s"), self.constant());
        writeln!(self.out, "  /*@ static local */ static {ty} {name} = {value};").unwrap();
        self.scope.push(name);
    }

    /// A type of C, or one that the program has named.
    fn ty(&mut self) -> String {
        if !self.types.is_empty() && self.below(2) == 0 {
            return self.pick(&self.types.clone());
        }
        self.pick(&TYPES).to_owned()
    }

    /// A name for a type, outside of functions.
    fn type_declaration(&mut self) {
        let (tag, name) = (self.name("e"), self.name("t"));
        match self.below(5) {
            0 => {
                let body = self.constants();
                writeln!(self.out, "/*@ enumeration without a tag */ enum {{ {body} }};").unwrap();
            }
            1 => {
                let body = self.constants();
                writeln!(self.out, "/*@ typedef of an enumeration */ typedef enum {{ {body} }} {name};")
                    .unwrap();
                self.types.push(name);
            }
            2 => {
                let body = self.constants();
                writeln!(self.out, "/*@ typedef before its enumeration */ typedef enum {tag} {name};")
                    .unwrap();
                writeln!(self.out, "enum {tag} {{ {body} }};").unwrap();
                self.types.extend([name, format!("/*@ enum tag */ enum {tag}")]);
                self.tags.push(tag);
            }
            3 => {
                let packed = self.pick(&["", "", "__attribute__((packed)) "]);
                let mark = if packed.is_empty() { "" } else { "/*@ packed enumeration */ " };
                let body = self.constants();
                writeln!(self.out, "{mark}enum {packed}{tag} {{ {body} }};").unwrap();
                self.types.push(format!("/*@ enum tag */ enum {tag}"));
                self.tags.push(tag);
            }
            _ => {
                let ty = self.ty();
                writeln!(self.out, "/*@ typedef */ typedef {ty} {name};").unwrap();
                self.types.push(name);
            }
        }
    }

    /// A type with a name that means something else outside of this block, or a new one.
    fn inner_type(&mut self) {
        if !self.tags.is_empty() && self.below(2) == 0 {
            let tag = self.pick(&self.tags.clone());
            let body = self.constants();
            writeln!(self.out, "  /*@ tag in an inner scope */ enum {tag} {{ {body} }};").unwrap();
            return;
        }
        let names: Vec<String> = self.types.iter().filter(|name| !name.contains(' ')).cloned().collect();
        if names.is_empty() {
            return;
        }
        let (name, ty) = (self.pick(&names), self.pick(&TYPES));
        writeln!(self.out, "  /*@ typedef in an inner scope */ typedef {ty} {name};").unwrap();
    }

    /// The constants of an enumeration, of all the types that enumerations have.
    fn constants(&mut self) -> String {
        let [a, b, c] = [self.name("C"), self.name("C"), self.name("C")];
        let number = self.below(9);
        let (body, is_small) = match self.below(9) {
            0 => (format!("{a} = {number}, {b}, {c} = {a} + 2"), true),
            1 => (format!("{a} = -{number} - 1, {b}, {c} = {a} + 5"), true),
            2 => (format!("{a} = 0x80000000u, {b} = {number}, {c} = {a} + 1"), false),
            3 => (format!("{a} = -1, {b} = 0x80000000u, {c}"), false),
            4 => (format!("{a} = 0x100000000, {b}, {c} = {number}"), false),
            5 => (format!("{a} = -5000000000, {b}, {c} = {a} < 0"), false),
            6 => (format!("{a} = 1u << 31, {b} = 'a', {c} = sizeof({a})"), false),
            7 => (format!("{a} = 3000000000, {b} = sizeof({a}), {c} = {a} > -1"), false),
            _ => (format!("{a} = 0x8000000000000000u, {b} = {number}, {c} = 200"), false),
        };
        let list = if is_small { &mut self.small } else { &mut self.large };
        list.extend([a, b, c]);
        body
    }

    /// A structure of which the program stores in members and uses what was stored.
    fn structure(&mut self) {
        let (name, ty) = (self.name("b"), self.ty());
        let members = "int a : 5; unsigned b : 3; long c : 40; unsigned long d : 33; _Bool e : 1;";
        writeln!(self.out, "struct {{ {members} {ty} f; }} {name};").unwrap();
        self.bit_fields = ["a", "b", "c", "d", "e", "f"].map(|member| format!("{name}.{member}")).to_vec();
    }

    fn statement(&mut self) {
        self.depth += 1;
        let kinds = if self.depth > 3 { 7 } else { 13 };
        match self.below(kinds) {
            0..3 => self.assignment(),
            3 => {
                let value = self.expression(3);
                writeln!(self.out, "  observe({value});").unwrap();
            }
            4 => self.side_effect(),
            5 => self.input(),
            6 => self.action(),
            7 => self.conditional(),
            8 => self.counted_loop(),
            9 => self.switch(),
            10 => self.jump(),
            11 if self.in_loop => {
                let (condition, word) = (self.condition(), self.pick(&["break", "continue"]));
                writeln!(self.out, "  if ({condition}) {word};").unwrap();
            }
            _ => self.block(),
        }
        self.depth -= 1;
    }

    fn assignment(&mut self) {
        let (target, value) = (self.variable(), self.expression(3));
        let operator =
            self.pick(&["=", "=", "=", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
        let (mark, value) = match operator {
            "=" => (String::new(), value),
            "&=" | "|=" | "^=" => (format!("/*@ {operator} */ "), value),
            "<<=" | ">>=" => (format!("/*@ {operator} */ "), format!("((unsigned char){value} % 24)")),
            _ => (String::new(), format!("((signed char){value} * 2 + 1)")),
        };
        writeln!(self.out, "  {mark}{target} {operator} {value};").unwrap();
    }

    /// A step or an assignment inside an expression that does not use the variable otherwise.
    fn side_effect(&mut self) {
        let target = self.variable();
        let Some(at) = self.scope.iter().position(|name| *name == target) else { return };
        self.scope.remove(at);
        if self.scope.is_empty() {
            self.scope.push(target);
            return;
        }
        let (into, other) = (self.variable(), self.expression(2));
        self.scope.insert(at, target.clone());
        // The other target may be read on the right, so only the first one is stepped.
        let step = self.pick(&["++", "--"]);
        let effect = match self.below(5) {
            4 => format!("/*@ bit-field */ ({} = {other})", self.pick(&self.bit_fields.clone())),
            0 => format!("{target}{step}"),
            1 => format!("{step}{target}"),
            2 => format!("({target} = {other})"),
            _ => format!("({target}{step}, {other})"),
        };
        writeln!(self.out, "  {into} = {effect} + 1;").unwrap();
    }

    fn input(&mut self) {
        let (target, ty) = (self.variable(), self.pick(&NONDET));
        writeln!(self.out, "  {target} = __VERIFIER_nondet_{ty}();").unwrap();
    }

    fn action(&mut self) {
        if self.actions.is_empty() {
            return self.assignment();
        }
        let (function, n_params) = self.pick(&self.actions.clone());
        let fuel = self.below(4);
        let args: Vec<String> =
            (0..n_params).map(|n| if n == 0 { fuel.to_string() } else { self.expression(1) }).collect();
        let call = format!("{function}({})", args.join(", "));
        if self.below(2) == 0 {
            writeln!(self.out, "  {call};").unwrap();
        } else {
            let target = self.variable();
            writeln!(self.out, "  {target} = {call};").unwrap();
        }
    }

    fn conditional(&mut self) {
        let condition = self.condition();
        writeln!(self.out, "  if ({condition}) {{").unwrap();
        self.inner();
        if self.below(2) == 0 {
            let other = self.condition();
            writeln!(self.out, "  }} else if ({other}) {{").unwrap();
            self.inner();
        }
        self.out.push_str("  } else {\n");
        self.inner();
        self.out.push_str("  }\n");
    }

    /// Statements in a scope of their own.
    fn inner(&mut self) {
        let n_scope = self.scope.len();
        let (n_small, n_large) = (self.small.len(), self.large.len());
        if self.below(3) == 0 {
            self.inner_type();
        }
        if self.below(4) == 0 {
            self.shadow();
        }
        if self.below(3) == 0 {
            self.declaration();
        }
        for _ in 0..1 + self.below(2) {
            self.statement();
        }
        self.scope.truncate(n_scope);
        self.small.truncate(n_small);
        self.large.truncate(n_large);
    }

    /// A variable that hides one of the same name outside of this block.
    fn shadow(&mut self) {
        if self.scope.is_empty() {
            return;
        }
        let (name, ty, value) = (self.variable(), self.ty(), self.constant());
        writeln!(self.out, "  /*@ shadowed variable */ {ty} {name} = {value};").unwrap();
    }

    fn block(&mut self) {
        self.out.push_str("  {\n");
        self.inner();
        self.out.push_str("  }\n");
    }

    fn counted_loop(&mut self) {
        let (counter, times) = (self.name("i"), 1 + self.below(4));
        let outer = std::mem::replace(&mut self.in_loop, true);
        match self.below(3) {
            0 => {
                writeln!(self.out, "  for (int {counter} = 0; {counter} < {times}; {counter}++) {{").unwrap();
                self.inner();
                self.out.push_str("  }\n");
            }
            1 => {
                writeln!(self.out, "  int {counter} = {times};\n  while ({counter}-- > 0) {{").unwrap();
                self.inner();
                self.out.push_str("  }\n");
            }
            _ => {
                writeln!(self.out, "  int {counter} = 0;\n  do {{").unwrap();
                self.inner();
                writeln!(self.out, "  }} while (++{counter} < {times});").unwrap();
            }
        }
        self.in_loop = outer;
    }

    fn switch(&mut self) {
        let value = self.expression(2);
        // `continue` would still mean the loop around, `break` this statement.
        let outer = std::mem::replace(&mut self.in_loop, false);
        writeln!(self.out, "  switch ({value}) {{").unwrap();
        for n in 0..3 {
            writeln!(self.out, "  case {}:", n * 2 - 1).unwrap();
            self.block();
            if self.below(2) == 0 {
                self.out.push_str("  break;\n");
            }
        }
        self.out.push_str("  default:\n");
        self.block();
        self.out.push_str("  }\n");
        self.in_loop = outer;
    }

    /// A jump forward over a statement.
    fn jump(&mut self) {
        let (label, condition) = (self.name("l"), self.condition());
        writeln!(self.out, "  if ({condition}) goto {label};").unwrap();
        self.assignment();
        writeln!(self.out, "  {label}: ;").unwrap();
    }

    fn variable(&mut self) -> String {
        // Functions without globals always have their parameters, and `main` its globals.
        self.pick(&self.scope.clone())
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(1));
        let relation = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(4) {
            0 => format!("!({left} {relation} {right})"),
            1 => format!("{left} {relation} {right} && {right} != 0"),
            2 => format!("{left} || {right} {relation} 7"),
            _ => format!("{left} {relation} {right}"),
        }
    }

    fn constant(&mut self) -> String {
        if !self.small.is_empty() && self.below(6) == 0 {
            return format!("/*@ constant of an enumeration */ {}", self.pick(&self.small.clone()));
        }
        if !self.large.is_empty() && self.below(10) == 0 {
            return format!("/*@ large constant of an enumeration */ {}", self.pick(&self.large.clone()));
        }
        match self.below(4) {
            0 if self.below(3) == 0 => {
                let ty = self.ty();
                format!("/*@ size of a type */ sizeof({ty})")
            }
            0 => self.pick(&["'a'", "2ul", "-1ll", "0u", "0x10", "sizeof(int)"]).to_owned(),
            _ => (self.below(20) as i64 - 9).to_string(),
        }
    }

    /// A number at the limit of a type. Between constants the compiler does not trap an overflow, so it is in a variable.
    fn limit(&mut self) -> String {
        let limits = [
            ("int", "2147483647"),
            ("int", "-2147483647 - 1"),
            ("unsigned", "4294967295u"),
            ("short", "32767"),
            ("signed char", "-128"),
            ("unsigned char", "255"),
            ("long long", "9223372036854775807"),
            ("long long", "-9223372036854775807 - 1"),
            ("unsigned long", "18446744073709551615u"),
            ("long", "0x80000000"),
        ];
        let ((ty, value), name) = (self.pick(&limits), self.name("k"));
        let text = format!("{ty} {name} = {value};\n{}", self.out);
        self.out = text;
        name
    }

    /// An expression without side effects.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            return match self.below(3) {
                0 if !self.scope.is_empty() => self.variable(),
                1 if !self.scope.is_empty() => self.variable(),
                _ if self.below(8) == 0 => self.limit(),
                _ => format!("({})", self.constant()),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(18) {
            13..18 => self.bits(&left, &right),
            12 => {
                let choices = "_Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, \
                    int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12";
                format!("(/*@ _Generic */ _Generic({left}, {choices}) * {right})")
            }
            // Most of the time the result is defined: it wraps, or its operands are small.
            0..4 => {
                let operator = self.pick(&["+", "-", "*"]);
                let (a, b) = self.pick(&[
                    ("unsigned", "int"),
                    ("unsigned long", "short"),
                    ("short", "short"),
                    ("", ""),
                ]);
                match a {
                    "" => format!("({left} {operator} {right})"),
                    _ => format!("(({a}){left} {operator} ({b}){right})"),
                }
            }
            // A divisor that is never 0, and one that may be.
            4 => format!("({left} / ((short){right} * 2 + 1))"),
            5 if self.below(8) == 0 => format!("({left} % {right})"),
            5 => format!("({left} % ((short){right} * 2 + 1))"),
            6 => {
                let ty = self.ty();
                format!("({ty}){left}")
            }
            7 => {
                let relation = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({left} {relation} {right})")
            }
            8 => format!("({left} ? {right} : {left})"),
            9 => {
                let operator = self.pick(&["&&", "||"]);
                format!("({left} {operator} {right})")
            }
            10 => {
                let operator = self.pick(&["-(short)", "+", "!", "-"]);
                format!("{operator}({left})")
            }
            _ if self.pure.is_empty() => format!("({left} - {right})"),
            _ => {
                let (function, n_params) = self.pick(&self.pure.clone());
                let fuel = self.below(4);
                let args: Vec<String> =
                    (0..n_params).map(|n| if n == 0 { fuel.to_string() } else { right.clone() }).collect();
                format!("{function}({})", args.join(", "))
            }
        }
    }

    /// Operators on bits.
    fn bits(&mut self, left: &str, right: &str) -> String {
        match self.below(5) {
            // Of two values, of one and a constant, of truth values.
            0..2 => {
                let operator = self.pick(&["&", "|", "^"]);
                let mask = self.pick(&["1", "255", "~7", "0xf0f0u", "-1", "0x80000000", "6l"]);
                match self.below(5) {
                    0 => format!("(/*@ {operator} with a mask */ {left} {operator} {mask})"),
                    1 => format!("(/*@ {operator} with a mask */ {mask} {operator} {right})"),
                    2 => format!("(/*@ {operator} of truths */ ({left} < {right}) {operator} !{right})"),
                    _ => format!("(/*@ {operator} */ {left} {operator} {right})"),
                }
            }
            2 => format!("(/*@ ~ */ ~{left})"),
            // Most of the time the distance is in range.
            _ => {
                let (operator, distance) = (self.pick(&["<<", ">>"]), self.below(31));
                // What is negative is not shifted to the left.
                let types = ["(unsigned)", "(unsigned long)", "(unsigned char)", "", ""];
                let n_types = if operator == "<<" && self.below(8) > 0 { 3 } else { 5 };
                let ty = self.pick(&types[..n_types]);
                match self.below(8) {
                    0..4 => format!("(/*@ {operator} by a constant */ {ty}{left} {operator} {distance})"),
                    4 if self.below(2) == 0 => format!("(/*@ {operator} */ {ty}{left} {operator} {right})"),
                    5 => format!("(/*@ {operator} */ 1 {operator} ((unsigned char){right} % 31))"),
                    _ => format!("(/*@ {operator} */ {ty}{left} {operator} ((unsigned char){right} % 32))"),
                }
            }
        }
    }
}
