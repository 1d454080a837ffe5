//! Random expressions and machines, in the notation of the harness.

use base::Random;

/// A random expression over Boolean variables and variables of type int<width>.
pub struct Expressions<'a> {
    pub bools: &'a [&'a str],
    pub ints: &'a [&'a str],
    pub width: u32,
}

impl Expressions<'_> {
    fn pick<'b>(random: &mut Random, from: &[&'b str]) -> &'b str {
        from[random.below(from.len() as u64) as usize]
    }

    /// A Boolean expression of about this size.
    pub fn boolean(&self, random: &mut Random, size: u64) -> String {
        if size <= 1 {
            return match random.below(4) {
                0 => "*".to_owned(),
                1 => Self::pick(random, &["T", "F"]).to_owned(),
                _ => Self::pick(random, self.bools).to_owned(),
            };
        }
        let left = 1 + random.below(size - 1);
        let right = size - left;
        let use_ints = !self.ints.is_empty();
        match random.below(if use_ints { 8 } else { 5 }) {
            0 => format!("{} !", self.boolean(random, size - 1)),
            1 => format!("{} {} schoose", self.boolean(random, left), self.boolean(random, right)),
            2 => {
                let condition = self.boolean(random, left);
                format!(
                    "{condition} {} {} if",
                    self.boolean(random, right / 2),
                    self.boolean(random, right / 2)
                )
            }
            3 | 4 => {
                let operator = Self::pick(random, &["&", "|", "^", "=>", "=", "!="]);
                format!("{} {} {operator}", self.boolean(random, left), self.boolean(random, right))
            }
            _ => {
                let operator = Self::pick(random, &["=", "!=", "<", "<="]);
                format!("{} {} {operator}", self.integer(random, left), self.integer(random, right))
            }
        }
    }

    /// An integer expression of about this size.
    pub fn integer(&self, random: &mut Random, size: u64) -> String {
        let width = self.width;
        if size <= 1 {
            return match random.below(4) {
                0 | 1 => format!("*:{width}"),
                2 => format!("{}:{width}", random.below(1 << width)),
                _ => Self::pick(random, self.ints).to_owned(),
            };
        }
        let left = 1 + random.below(size - 1);
        let right = size - left;
        match random.below(5) {
            0 => format!("{} neg", self.integer(random, size - 1)),
            1 => {
                let condition = self.boolean(random, left);
                format!(
                    "{condition} {} {} if",
                    self.integer(random, right / 2),
                    self.integer(random, right / 2)
                )
            }
            _ => {
                let operator = Self::pick(random, &["+", "-", "mul", "mul"]);
                format!("{} {} {operator}", self.integer(random, left), self.integer(random, right))
            }
        }
    }
}

/// A random machine of three modules. Each may call every module but `main`.
pub fn machine_text(random: &mut Random) -> String {
    let mut text = "global a b i:2\n".to_owned();
    let globals = Expressions { bools: &["a", "b"], ints: &["i"], width: 2 };
    if random.below(2) == 0 {
        text.push_str(&format!("init {}\n", globals.boolean(random, 3)));
    }
    for header in ["main ; x", "f p j:2 ; ; bool 2", "g p ; y ; bool"] {
        text.push_str(&module_text(random, header));
    }
    text
}

fn module_text(random: &mut Random, header: &str) -> String {
    let (name, local, results) = match &header[..1] {
        "m" => ("main", "x", ""),
        "f" => ("f", "p", "BI"),
        _ => ("g", "y", "B"),
    };
    let (bools, ints): (&[&str], &[&str]) =
        if name == "f" { (&["a", "b", "p"], &["i", "j"]) } else { (&["a", "b", local], &["i"]) };
    let here = Expressions { bools, ints, width: 2 };
    let mut text = format!("module {header}\n");
    if random.below(4) == 0 {
        text.push_str(&format!("enforce {}\n", here.boolean(random, 3)));
    }
    let n_nodes = 3 + random.below(3);
    for from in 0..n_nodes {
        for _ in 0..1 + random.below(2) {
            let to = random.below(n_nodes);
            let action = action_text(random, &here);
            text.push_str(&format!("{from} {to} {action}\n"));
        }
    }
    let mut back = String::new();
    for (n, result) in results.chars().enumerate() {
        let value = if result == 'B' { here.boolean(random, 2) } else { here.integer(random, 2) };
        back.push_str(if n == 0 { "" } else { " , " });
        back.push_str(&value);
    }
    text.push_str(&format!("{} {n_nodes} return {back}\n", random.below(n_nodes)));
    text
}

fn action_text(random: &mut Random, here: &Expressions<'_>) -> String {
    let target = here.bools[random.below(here.bools.len() as u64) as usize];
    let number = here.ints[random.below(here.ints.len() as u64) as usize];
    match random.below(9) {
        0 => "skip".to_owned(),
        1 => format!("assume {}", here.boolean(random, 3)),
        2 => format!("assert {}", here.boolean(random, 3)),
        3 => format!("set {target} := {}", here.boolean(random, 3)),
        4 => format!("set {number} := {}", here.integer(random, 3)),
        5 => {
            let next = format!("{target}' {number}' {} = &", here.integer(random, 2));
            format!("set {target} , {number} := * , {} constrain {next}", here.integer(random, 2))
        }
        6 => format!("call {target} := g ( {} )", here.boolean(random, 2)),
        7 => format!("call _ , {number} := f ( {} , {} )", here.boolean(random, 1), here.integer(random, 2)),
        _ => format!("call {target} , i := f ( {} , {} )", here.boolean(random, 1), here.integer(random, 1)),
    }
}
