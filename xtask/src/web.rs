//! `cargo xtask web`: the playground, as a folder for any web host and as one file that works from disk.
//!
//! Contract: what it makes asks for nothing but what is beside it, and the one file for nothing at all; the policy of each page allows its own scripts and styles, by their hashes or by
//! being beside it, the script and style of the report that it shows, and the module. The compiler's target is taken from rustup or from Debian, whichever is there.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A stack as for programs outside of browsers.
const STACK: &str = "-C link-arg=-zstack-size=16777216";

/// As much memory as a module with addresses of 32 bits should take.
const MEMORY: &str = "link-arg=--max-memory=2147483648";

const TARGET: &str = "wasm32-unknown-unknown";

/// A bug ends the module without a word: the words, and the places in our text that they name, would be a fifth of it.
const SILENT: &str = "-Z unstable-options -C panic=immediate-abort";

/// Small, and with what every browser of the last years understands.
const FEATURES: [&str; 7] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// How the module is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Small, for those who load it.
    Small,
    /// Soon there, for tests: large and slow.
    Quick,
}

/// Makes `target/web`.
pub fn run(root: &Path, build: Build) -> ExitCode {
    match made(root, build) {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn made(root: &Path, build: Build) -> Result<String, String> {
    let modules = MODULES.map(|of| bytes(root, build, of).map(|bytes| (of.file(), bytes)));
    let modules: Vec<(String, Vec<u8>)> = modules.into_iter().collect::<Result<_, String>>()?;
    let texts: Vec<String> = modules.iter().map(|(_, bytes)| base::base64(bytes)).collect();
    let parts = Parts::read(root)?;
    let folder = root.join("target/web");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (page, one) = (parts.of_host(), parts.one_file(&texts));
    let files: [(&str, &[u8]); 5] = [
        ("index.html", page.as_bytes()),
        ("playground.js", parts.script.as_bytes()),
        ("playground.css", parts.style.as_bytes()),
        ("worker.js", parts.worker.as_bytes()),
        ("getafix.html", one.as_bytes()),
    ];
    let made = modules.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    for (name, content) in files.into_iter().chain(made) {
        std::fs::write(folder.join(name), content).map_err(|error| format!("{name}: {error}"))?;
    }
    let size = |(name, bytes): &(String, Vec<u8>)| format!("{name}, {} KB", bytes.len() / 1000);
    Ok(format!(
        "{}: for a web host, with {}; getafix.html, {} KB, works alone and from disk",
        folder.display(),
        modules.iter().map(size).collect::<Vec<_>>().join(" and "),
        one.len() / 1000
    ))
}

/// One of the two modules: a page loads the second one when it is first asked about C.
#[derive(Clone, Copy)]
struct Module {
    /// What the page calls it.
    name: &'static str,
    /// The features that it is built with.
    features: &'static str,
}

const MODULES: [Module; 2] =
    [Module { name: "getafix", features: "" }, Module { name: "getafix-c", features: "c" }];

impl Module {
    fn file(self) -> String {
        format!("{}.wasm", self.name)
    }
}

/// Builds a module.
fn bytes(root: &Path, build: Build, of: Module) -> Result<Vec<u8>, String> {
    let mut built = module(root, build, of)?;
    if build == Build::Small {
        built = smaller(root, built);
    }
    std::fs::read(&built).map_err(|error| format!("{}: {error}", built.display()))
}

/// Builds the module; where it is.
fn module(root: &Path, build: Build, of: Module) -> Result<PathBuf, String> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let is_in_rustup = installed
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET));
    let (target, mut command) = if is_in_rustup {
        let mut command = Command::new("cargo");
        command.env("RUSTFLAGS", STACK);
        (root.join("target"), command)
    } else {
        let is_there = |name: &&&str| Path::new("/usr/bin").join(name).exists();
        let linker = ["wasm-ld", "wasm-ld-19"].iter().find(is_there);
        let has_library = Path::new("/usr/lib/rustlib/src/rust/library").is_dir();
        let (Some(linker), true) = (linker, has_library && Path::new("/usr/bin/cargo").exists()) else {
            return Err(format!(
                "there is no target {TARGET}: `rustup target add {TARGET}`, or Debian's packages rustc-web, cargo-web, rust-web-src and lld"
            ));
        };
        let mut command = Command::new("/usr/bin/cargo");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("/usr/bin:{path}")).env("RUSTC_BOOTSTRAP", "1");
        let bugs = if build == Build::Small { SILENT } else { "" };
        command.env("RUSTFLAGS", format!("-C linker={linker} {STACK} {bugs}"));
        (root.join("target/wasm"), command)
    };
    // Who runs this has set them for another compiler.
    for variable in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTDOC", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    command.current_dir(root).env("CARGO_TARGET_DIR", &target);
    let (profile, folder) = match build {
        Build::Small => ("web", "web"),
        Build::Quick => ("dev", "debug"),
    };
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_DEV_STRIP", "true");
    // A library that is two things at once would not be optimised as a whole.
    command.args(["rustc", "--profile", profile, "--target", TARGET, "-p", "getafix-web"]);
    command.args(["--features", of.features, "--lib", "--crate-type", "cdylib"]);
    if !is_in_rustup {
        command.arg("-Zbuild-std=std,panic_abort");
        if build == Build::Small {
            // Its tables and its sorts are smaller then. It sorts otherwise what is equal, which is why no order of ours may depend on that.
            command.arg("-Zbuild-std-features=optimize_for_size");
        }
    }
    command.args(["--", "-C", MEMORY]);
    let status = command.status().map_err(|error| format!("cargo does not start: {error}"))?;
    let module = target.join(TARGET).join(folder).join("web.wasm");
    if status.success() { Ok(module) } else { Err("the module cannot be built".to_owned()) }
}

/// The module as `wasm-opt` makes it, of which `xtask/tools` says the version; without npm it stays as it is, and a line says so.
fn smaller(root: &Path, module: PathBuf) -> PathBuf {
    let (tools, out) = (root.join("target/tools"), module.with_extension("small.wasm"));
    let is_there = (|| {
        std::fs::create_dir_all(&tools).ok()?;
        for name in ["package.json", "package-lock.json"] {
            std::fs::copy(root.join("xtask/tools").join(name), tools.join(name)).ok()?;
        }
        let npm = Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--silent"])
            .current_dir(&tools)
            .status();
        npm.ok().filter(|status| status.success())?;
        let optimised = Command::new(tools.join("node_modules/.bin/wasm-opt"))
            .args(FEATURES)
            .arg(&module)
            .arg("-o")
            .arg(&out)
            .status();
        optimised.ok().filter(|status| status.success())
    })();
    if is_there.is_none() {
        eprintln!("note: npm or wasm-opt is not there, so the module is larger than it could be");
        return module;
    }
    out
}

/// The texts that pages are made of.
struct Parts {
    page: String,
    script: String,
    style: String,
    worker: String,
    /// Examples, algorithms, what one's own files begin with.
    shipped: String,
    /// What the policy calls the script and the style of the report.
    report: [String; 2],
}

impl Parts {
    fn read(root: &Path) -> Result<Self, String> {
        let text =
            |path: &str| std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
        let own = |name: &str| text(&format!("crates/web/page/{name}"));
        // The script of the report is the files that its crate puts together, in their order.
        let folder = "crates/present/src/";
        let code = text(&format!("{folder}html.rs"))?;
        let parts = code.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let (mut script, mut style) = (String::new(), String::new());
        for part in parts {
            let content = text(&format!("{folder}{part}"))?;
            if part.ends_with(".css") { style.push_str(&content) } else { script.push_str(&content) }
        }
        Ok(Self {
            page: own("playground.html")?,
            script: own("playground.js")?,
            style: own("playground.css")?,
            worker: own("worker.js")?,
            shipped: data(&shipped(root)?),
            report: [hash(&script), hash(&style)],
        })
    }

    /// The page beside its parts.
    fn of_host(&self) -> String {
        let [script, style] = &self.report;
        let policy = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {script}; style-src 'self' {style}; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
        );
        self.filled(
            &policy,
            "<link rel=\"stylesheet\" href=\"playground.css\">",
            "",
            "<script src=\"playground.js\"></script>",
        )
    }

    /// The page with its parts inside.
    fn one_file(&self, modules: &[String]) -> String {
        let [script, style] = &self.report;
        let policy = format!(
            "default-src 'none'; script-src {} {script} 'wasm-unsafe-eval' blob:; style-src {} {style}; worker-src blob:; base-uri 'none'; form-action 'none'",
            hash(&self.script),
            hash(&self.style)
        );
        let mut inside = format!("<script id=\"worker\" type=\"text/plain\">{}</script>", self.worker);
        for (Module { name, .. }, module) in MODULES.iter().zip(modules) {
            inside.push_str(&format!("\n<script id=\"{name}\" type=\"text/plain\">{module}</script>"));
        }
        self.filled(
            &policy,
            &format!("<style>{}</style>", self.style),
            &inside,
            &format!("<script>{}</script>", self.script),
        )
    }

    fn filled(&self, policy: &str, style: &str, module: &str, script: &str) -> String {
        // What stands for a part occurs once, and no part is looked into.
        let parts = [
            ("{policy}", policy),
            ("{style}", style),
            ("{shipped}", &self.shipped),
            ("{module}", module),
            ("{script}", script),
        ];
        let mut out = String::new();
        let mut rest = self.page.as_str();
        for (mark, part) in parts {
            let (before, after) =
                rest.split_once(mark).expect("the page has a place for each part, in this order");
            out.push_str(before);
            out.push_str(part);
            rest = after;
        }
        out + rest
    }
}

/// What the page ships.
fn shipped(root: &Path) -> Result<Value, String> {
    let text =
        |path: &str| std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let names = |folder: &str| -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        Ok(names)
    };
    let example = |title: &str, file: &str, options: Value, texts: Value| -> Result<Value, String> {
        let text = text(&format!("examples/{file}"))?;
        Ok(json!({ "name": title, "file": file, "text": text, "options": options, "texts": texts }))
    };
    let monitor = text("examples/double_lock.mon")?;
    let mut examples = vec![example("lock.bp", "lock.bp", json!({}), json!({}))?];
    for file in names("examples")? {
        let options = if file == "bluetooth.bp" { json!({ "k": 3 }) } else { json!({}) };
        if file != "lock.bp" && !file.ends_with(".mon") {
            examples.push(example(&file, &file, options, json!({}))?);
        }
    }
    let more = [
        (
            "lock.bp, with a monitor",
            "lock.bp",
            json!({ "monitor": "own.mon" }),
            json!({ "own.mon": monitor }),
        ),
        ("peterson.bp: can it go on for ever?", "peterson.bp", json!({ "nonterm": true }), json!({})),
        ("traffic_light.bp: its states", "traffic_light.bp", json!({ "show": "states" }), json!({})),
    ];
    for (title, file, options, texts) in more {
        examples.push(example(title, file, options, texts)?);
    }
    let algorithms = names("algorithms")?;
    let algorithms: Vec<&str> = algorithms.iter().filter_map(|name| name.strip_suffix(".mu")).collect();
    let begin = json!({ "own.mon": monitor, "own.mu": text("algorithms/summary.mu")? });
    Ok(json!({ "examples": examples, "algorithms": algorithms, "begin": begin }))
}

/// JSON in a page: only `<` could end it.
fn data(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// `'sha256-…'`: what a policy calls a script or a style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base::base64(&base::sha256::hash(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_their_parts_and_nothing_ends_them_early() {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository");
        let parts = Parts::read(root).expect("the parts are there");
        let one = parts.one_file(&["AAAA", "BBBB"].map(str::to_owned));
        assert_eq!(one.matches("<script").count(), 5, "the examples, the worker, two modules, the script");
        assert_eq!(one.matches("</script>").count(), 5);
        assert!(one.contains(&hash(&parts.script)) && one.contains(&parts.report[0]));
        assert!(!one.contains("http:") && !one.contains("https:"), "it asks for nothing");
        let page = parts.of_host();
        assert!(page.contains("src=\"playground.js\"") && !page.contains("{script}"));
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "Function(",
            "XMLHttp",
            "import(",
            "localStorage",
            "sessionStorage",
            "cookie",
            "http:",
            "https:",
        ] {
            assert!(!parts.script.contains(word) && !parts.worker.contains(word), "{word}");
        }
    }
}
