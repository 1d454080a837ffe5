//! The manual page: the commands, then the options of each.

use crate::args::Cli;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;

/// The page, in roff.
pub fn page() -> Vec<u8> {
    let mut root = Cli::command();
    root.build();
    let mut commands = ".SH COMMANDS\n".to_owned();
    for command in own(&root) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        commands.push_str(&format!(".TP\n\\fBgetafix {}\\fR\n{about}\n", command.get_name()));
    }
    let options: Vec<Vec<u8>> = own(&root).map(options).collect();
    let man = Man::new(root);
    let mut page = Vec::new();
    let mut parts = vec![
        man.render_title(&mut page),
        man.render_name_section(&mut page),
        man.render_synopsis_section(&mut page),
        man.render_description_section(&mut page),
        page.write_all(commands.as_bytes()),
    ];
    parts.extend(options.iter().map(|section| page.write_all(section)));
    parts.push(man.render_extra_section(&mut page));
    parts.push(man.render_version_section(&mut page));
    assert!(parts.iter().all(Result::is_ok), "writing to memory succeeds");
    page
}

/// The commands, without the one that prints help about them.
fn own(root: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    root.get_subcommands().filter(|command| command.get_name() != "help")
}

/// The section of one command: its options under their headings, as in its help.
fn options(command: &clap::Command) -> Vec<u8> {
    let name = command.get_name().to_owned();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string);
    let mut headings: Vec<Option<&str>> = vec![None];
    for option in command.get_arguments() {
        let heading = option.get_help_heading();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let mut body = String::new();
    for heading in headings {
        if let Some(heading) = heading {
            body.push_str(&format!(".SS {heading}\n"));
        }
        body.push_str(&under(command, heading));
    }
    format!(".SH GETAFIX {}\n{}\n{body}", name.to_uppercase(), about.unwrap_or_default()).into_bytes()
}

/// The options under one heading.
fn under(command: &clap::Command, heading: Option<&str>) -> String {
    let is_own = |option: &clap::Arg| option.get_help_heading() == heading;
    if !command.get_arguments().any(is_own) {
        return String::new();
    }
    let part = command.clone().mut_args(|option| {
        let is_hidden = !is_own(&option);
        option.hide(is_hidden)
    });
    let mut section = Vec::new();
    let written = Man::new(part).render_options_section(&mut section);
    assert!(written.is_ok(), "writing to memory succeeds");
    let section = String::from_utf8(section).expect("the options are text");
    // The options come as a section of their own; here they are part of the command's.
    section.replace(".SH OPTIONS\n", "")
}
