//! `driver`: many procedures that keep a locking discipline, like the models of device drivers that SLAM
//! printed.
//!
//! Globals: `lock` and `pending` belong to the discipline, `mode` and `flag` are what the driver branches
//! on, and more of these can be asked for. Each procedure has a parameter `held` and two locals. Invariant:
//! `held = lock` when a procedure is entered, and the procedure returns with the `lock` it found. A
//! procedure is a sequence of parts, each of which keeps that, whatever the driver's other globals are; so
//! `ERROR` is unreachable.
//!
//! Every procedure but the first has a parent among the eight before it, which calls it whatever `held` is.
//! Each part can be passed, every loop and recursion can be left, so each procedure is reached and returns:
//! a bug planted in the last one is reachable, at a depth of about `n / 5` calls.

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;

/// A procedure gets parts until it has so many lines.
const LINES: usize = 19;

/// How far before its child a parent may stand.
const REACH: usize = 8;

/// The program; `options.globals` more globals are written at random.
pub fn program(n: u32, options: &Options) -> String {
    let mut writer = Writer {
        page: Page::default(),
        dice: Dice::new(options.seed),
        data: ["mode".to_owned(), "flag".to_owned()].into_iter().collect(),
        n: n as usize,
        n_labels: 0,
        n_lines: 0,
    };
    writer.data.extend((0..options.globals).map(|i| format!("g{i}")));
    writer.header(options);
    let children = children(n as usize, &mut writer.dice);
    for (i, children) in children.iter().enumerate() {
        writer.procedure(i, children, options);
    }
    writer.page.finish()
}

/// The procedures each procedure must call.
fn children(n: usize, dice: &mut Dice) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); n];
    for child in 1..n {
        let parent = child - 1 - dice.below(REACH.min(child));
        children[parent].push(child);
    }
    children
}

struct Writer {
    page: Page,
    dice: Dice,
    /// The globals outside the discipline.
    data: Vec<String>,
    n: usize,
    /// Of the present procedure.
    n_labels: usize,
    n_lines: usize,
}

impl Writer {
    fn header(&mut self, options: &Options) {
        let (n, seed) = (self.n, options.seed);
        let page = &mut self.page;
        page.line(format!("// driver, n = {n}, seed = {seed}: procedures that lock and complete requests."));
        page.line(match options.reachable {
            true => "// expect: reachable, because the last procedure may acquire the lock twice",
            false => "// expect: unreachable, because each procedure returns with the lock as it found it",
        });
        page.line("decl lock, pending;");
        page.line(format!("decl {};", self.data.join(", ")));
        page.line("init !lock & !pending;");
        self.function("void main()", &["p0(F);", "if (pending) then complete(); fi", "release_if(lock);"]);
        self.function("void error()", &["ERROR: skip;"]);
        self.function("void acquire()", &["if (lock) then error(); else lock := T; fi"]);
        self.function("void release()", &["if (lock) then lock := F; else error(); fi"]);
        self.function("void release_if(held)", &["if (held) then release(); fi"]);
        self.function("void complete()", &["if (!pending) then error(); fi", "pending := F;"]);
    }

    fn function(&mut self, head: &str, body: &[&str]) {
        self.page.line("");
        self.page.line(head);
        self.page.open("begin");
        body.iter().for_each(|line| self.page.line(line));
        self.page.close("end");
    }

    fn procedure(&mut self, i: usize, children: &[usize], options: &Options) {
        self.n_labels = 0;
        self.n_lines = 0;
        self.page.line("");
        self.page.line(format!("bool p{i}(held)"));
        self.page.open("begin");
        self.line("decl status, saved;");
        self.line("status, saved := *, held;");
        for &child in children {
            self.call(child);
        }
        for _ in 0..options.globals {
            self.assignment();
        }
        let least = LINES + options.globals as usize;
        while self.n_lines < least {
            self.part(i);
        }
        if options.reachable && i + 1 == self.n {
            self.bug();
        }
        self.line("return status;");
        self.page.close("end");
    }

    /// The lines of a part, of which those that open or close a block are known by their words.
    fn lines(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.line(line));
    }

    fn line(&mut self, line: &str) {
        self.n_lines += 1;
        match line.split(' ').next_back() {
            Some("fi" | "od") if !line.contains(' ') => self.page.close(line),
            Some("else") => self.page.turn(line),
            Some("then" | "do") => self.page.open(line),
            _ => self.page.line(line),
        }
    }

    /// A call that happens on some path whatever `held` is.
    fn call(&mut self, callee: usize) {
        match self.dice.below(4) {
            0 => self.line(&format!("status := p{callee}(held);")),
            1 => self.lines(&["while (*) do", &format!("status := p{callee}(held);"), "od"]),
            2 => self.lines(&[
                "if (held) then",
                "release();",
                &format!("status := p{callee}(F);"),
                "acquire();",
                "else",
                "acquire();",
                &format!("status := p{callee}(T);"),
                "release();",
                "fi",
            ]),
            _ => self.lines(&[
                "if (status) then",
                &format!("p{callee}(held);"),
                "else",
                &format!("saved := p{callee}(lock);"),
                "fi",
            ]),
        }
    }

    /// A part of procedure `i`.
    fn part(&mut self, i: usize) {
        match self.dice.below(8) {
            0 => self.locked_section(i),
            1 => self.remembered_lock(),
            2 => self.request(),
            3 => self.jump(),
            4 => self.polling(),
            5 => self.further_call(i),
            _ => self.assignment(),
        }
    }

    fn locked_section(&mut self, i: usize) {
        self.lines(&["if (!held) then", "acquire();"]);
        self.assignment();
        if i + 1 < self.n {
            let callee = i + 1 + self.dice.below((self.n - i - 1).min(2 * REACH));
            self.line(&format!("if (*) then p{callee}(T); fi"));
        }
        self.lines(&["release();", "fi"]);
    }

    /// Whether the lock is taken is decided once and remembered.
    fn remembered_lock(&mut self) {
        let guard = self.condition();
        self.line(&format!("saved := !held & {guard};"));
        self.lines(&["if (saved) then", "acquire();", "fi"]);
        self.assignment();
        self.line("release_if(saved);");
    }

    fn request(&mut self) {
        self.lines(&["if (!pending) then", "pending := T;", "else"]);
        self.assignment();
        self.lines(&["complete();", "fi"]);
    }

    fn jump(&mut self) {
        let condition = self.condition();
        let first = self.n_labels;
        self.n_labels += 3;
        let (yes, no, join) = (first, first + 1, first + 2);
        self.line(&format!("goto L{yes}, L{no};"));
        self.line(&format!("L{yes}: assume({condition});"));
        self.assignment();
        self.line(&format!("goto L{join};"));
        self.line(&format!("L{no}: assume(!({condition}));"));
        self.assignment();
        self.line(&format!("L{join}: skip;"));
    }

    fn polling(&mut self) {
        let condition = self.condition();
        self.lines(&["status := *;", &format!("while (!status & {condition}) do")]);
        self.assignment();
        self.lines(&["status := *;", "od"]);
    }

    /// A call of any procedure near by; going back makes recursion.
    fn further_call(&mut self, i: usize) {
        let least = i.saturating_sub(2);
        let most = (i + 2 * REACH).min(self.n - 1);
        let callee = least + self.dice.below(most - least + 1);
        self.lines(&["if (*) then", &format!("status := p{callee}(held);"), "fi"]);
    }

    fn assignment(&mut self) {
        let target = self.dice.below(self.data.len());
        let target = self.data[target].clone();
        let (left, right) = (self.condition(), self.condition());
        let value = match self.dice.below(4) {
            0 => format!("schoose[{left}, {right}]"),
            1 => format!("{left} & {right}"),
            2 => "*".to_owned(),
            _ => format!("{left} != {right}"),
        };
        self.line(&format!("{target} := {value};"));
    }

    /// A literal over what the driver branches on. It holds no choice, so that it means the same twice.
    fn condition(&mut self) -> String {
        let name = match self.dice.below(4) {
            0 => "status",
            _ => {
                let which = self.dice.below(self.data.len());
                &self.data[which]
            }
        };
        if self.dice.chance(50) { format!("!{name}") } else { name.to_owned() }
    }

    fn bug(&mut self) {
        self.lines(&["status := *;", "if (status) then"]);
        self.lines(&["if (!held) then", "acquire();", "fi"]);
        self.lines(&["acquire();", "fi"]);
    }
}
