# A skeleton of a formula for Homebrew. `cargo xtask dist` fills in {version}, {sha256} and {url}, the name of the archive: put the address where it is published before it, and the file into a tap.
class Getafix < Formula
  desc "Model checking where the algorithm is a formula"
  homepage "https://doi.org/10.1145/1542476.1542500"
  url "{url}"
  version "{version}"
  sha256 "{sha256}"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on :linux
  depends_on "z3" => :recommended

  def install
    bin.install "getafix"
    man1.install "getafix.1"
    bash_completion.install "completions/getafix.bash" => "getafix"
    zsh_completion.install "completions/_getafix"
    fish_completion.install "completions/getafix.fish"
  end

  test do
    (testpath/"program.bp").write "void main() begin ERROR: skip; end"
    assert_match "REACHABLE", shell_output("#{bin}/getafix check program.bp", 10)
  end
end
