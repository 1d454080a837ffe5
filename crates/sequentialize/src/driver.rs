//! The whole program: declarations, the functions of the threads, and for each block a function that runs one of its threads.

use crate::function::functions;
use crate::leave::{back_at, declare_place, leave, leave_at};
use crate::plan::{Order, Plan};
use crate::schedule::main;
use crate::statement::{forget, integers};
use crate::text::{Text, line};
use crate::{Bound, Scheme};
use rsm::{Copies, Goal, ThreadBlock, show_expr, show_type};

/// So many goals are listed in the comment at the beginning.
const MAX_LISTED: usize = 8;

/// The text of the program.
pub(crate) fn program(plan: &Plan) -> String {
    let mut text = Text::default();
    comment(plan, &mut text);
    declarations(plan, &mut text);
    functions(plan, &mut text);
    if plan.scheme == Scheme::Lazy {
        text.blank();
        line!(text, "void {}() begin ERROR: assume(F); end", plan.words.reached);
    }
    for block in 0..plan.program.blocks.len() {
        run(plan, block, &mut text);
    }
    main(plan, &mut text);
    text.finish()
}

/// What this is.
fn comment(plan: &Plan, text: &mut Text) {
    let scheme = match plan.scheme {
        Scheme::Eager => "eager: shared values at the beginnings of contexts are guessed, then checked",
        Scheme::Lazy => {
            "lazy: shared values at the beginnings of contexts are computed, one context after the other"
        }
    };
    let bound = match plan.bound {
        Bound::Switches(1) => "1 context switch".to_owned(),
        Bound::Switches(k) => format!("{k} context switches"),
        Bound::Rounds(k) => format!("{k} rounds"),
    };
    let copies = |block: &ThreadBlock| match block.copies {
        Copies::Number(1) => block.name.clone(),
        Copies::Number(n) => format!("{}[{n}]", block.name),
        Copies::Any => format!("{}[*]", block.name),
    };
    let threads: Vec<String> = plan.program.blocks.iter().map(copies).collect();
    line!(text, "// A sequential program made from a concurrent one, by the program getafix.");
    line!(text, "// Threads: {}.", threads.join(", "));
    line!(text, "// Scheme: {scheme}.");
    line!(text, "// The algorithm entry_forward_split suits programs of this form.");
    line!(text, "// ERROR is reachable exactly if some thread reaches a goal within {bound}:");
    line!(text, "//   {}", goals(plan));
}

/// The goals as the user knows them.
fn goals(plan: &Plan) -> String {
    let mut goals: Vec<Goal> = plan.goals.keys().copied().collect();
    goals.sort_unstable();
    let shown = |goal: &Goal| match *goal {
        Goal::At(module, node) => {
            let module = plan.program.machine.module(module);
            let label = module.node(node).labels.first();
            format!("{}:{}", module.name, label.map_or_else(|| format!("N{}", node.0), Clone::clone))
        }
        Goal::Failure(module, edge) => {
            let module = plan.program.machine.module(module);
            format!("a failing assertion at N{} of {}", module.edge(edge).from.0, module.name)
        }
    };
    let mut list: Vec<String> = goals.iter().take(MAX_LISTED).map(shown).collect();
    if goals.len() > MAX_LISTED {
        list.push(format!("and {} more", goals.len() - MAX_LISTED));
    }
    if list.is_empty() { "there is none".to_owned() } else { list.join(", ") }
}

fn declarations(plan: &Plan, text: &mut Text) {
    let words = &plan.words;
    let machine = &plan.program.machine;
    for (n, variable) in machine.globals.iter().enumerate() {
        match n {
            0 => line!(text, "\n// The program's own: shared ones first, then those of single threads."),
            _ if n == plan.program.n_shared => line!(text, "// Private."),
            _ => {}
        }
        line!(text, "decl {}: {};", variable.name, show_type(&variable.ty));
    }
    for condition in &machine.init {
        line!(text, "init {};", show_expr(machine, machine.main, condition));
    }
    if !words.shared.is_empty() {
        line!(text, "\n// The shared values at the beginning of each context.");
    }
    let is_lal_reps = (plan.scheme, plan.order) == (Scheme::Eager, Order::Rounds);
    let guesses = if is_lal_reps { &words.guesses[..] } else { &[] };
    for copies in words.copies.iter().chain(guesses) {
        for (name, (_, ty)) in copies.iter().zip(&words.shared) {
            line!(text, "decl {name}: {};", show_type(ty));
        }
    }
    line!(text, "\n// Who runs, in which context.");
    let (contexts, threads) = (integers(plan.n_contexts), integers(plan.n_threads()));
    line!(text, "decl {}: {contexts};", words.context);
    line!(text, "decl {}: {threads};", words.active);
    line!(text, "decl {};", words.stop);
    match plan.scheme {
        Scheme::Eager => line!(text, "decl {};", words.hit),
        Scheme::Lazy => {
            line!(text, "decl {}: {contexts};", words.target);
            for (name, (_, ty)) in words.next.iter().zip(&words.shared) {
                line!(text, "decl {name}: {};", show_type(ty));
            }
        }
    }
    if plan.order == Order::Free {
        words.owners.iter().for_each(|owner| line!(text, "decl {owner}: {threads};"));
    }
}

/// The private variables of a block.
pub(crate) fn private<'p>(plan: &'p Plan, block: &ThreadBlock) -> Vec<&'p str> {
    block.private.iter().map(|n| plan.program.machine.globals[*n as usize].name.as_str()).collect()
}

/// The private variables get their first values.
pub(crate) fn initialise(plan: &Plan, block: &ThreadBlock, text: &mut Text) {
    line!(text, "{}", forget(&private(plan, block)));
    for condition in &block.init {
        line!(text, "assume({});", show_expr(&plan.program.machine, block.main, condition));
    }
}

/// Where a thread leaves contexts outside its own functions: before it starts, and when it has ended.
const BEFORE: usize = 0;
const ENDED: usize = 1;

/// The function that runs a thread of a block through all its contexts.
fn run(plan: &Plan, number: usize, text: &mut Text) {
    let words = &plan.words;
    let block = &plan.program.blocks[number];
    let main = plan.program.machine.module(block.main);
    text.blank();
    line!(text, "void {}()", words.runs[number]);
    text.block(format_args!("begin"), "end", |text| {
        declare_place(plan, ENDED, text);
        line!(
            text,
            "{}, {} := {}, F; {}",
            words.context,
            words.stop,
            plan.n_contexts,
            leave_at(plan, BEFORE)
        );
        line!(text, "{}:", back_at(BEFORE));
        initialise(plan, block, text);
        line!(text, "{}({});", main.name, vec!["*"; main.n_params].join(", "));
        line!(text, "if ({}) then {}return; fi", words.stop, forget(&private(plan, block)));
        if let Some(flag) = plan.flag(block) {
            line!(text, "assume(!{flag});");
        }
        line!(text, "{}{}", forget(&private(plan, block)), leave_at(plan, ENDED));
        // A thread that has ended owns no later context, and its later turns are empty.
        leave(plan, &[BEFORE], text);
    });
}
