//! The canonical text: its form, its comments, and that it means the same.

use base::Sources;

#[track_caller]
fn print(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.bp", text);
    let (program, diagnostics) = bp::parse(&sources, file);
    assert_eq!(crate::harness::lines(&sources, &diagnostics), [""; 0], "{text}");
    bp::print(&program)
}

/// The canonical text is as expected, and is its own canonical text.
#[track_caller]
fn check(text: &str, expected: &str) {
    let printed = print(text);
    assert_eq!(printed, expected);
    assert_eq!(print(&printed), expected);
}

/// An expression keeps its meaning with as few parentheses as possible.
#[track_caller]
fn check_expression(text: &str, expected: &str) {
    let program = |expression: &str| format!("init {expression};\n");
    check(&program(text), &program(expected));
}

#[test]
fn every_construct_has_its_form() {
    check(CRAMPED, CANONICAL);
}

const CRAMPED: &str =
        "decl a,b:int<3>;decl c:enum{red,green};init a;
         thread p[2] begin decl z;init z; void main() begin end end
         thread q[*] begin bool<2> f(x,y:bool) begin decl l;enforce l;
         L:M:if a then skip elsif b=1 then return;else while ? do N: od;fi
         atomic begin x,_:=T,0 constrain 'x;end;x,y:=call f(x,y);f(a,a);goto L,M;assert a;assume(a);constrain a;
         dead x,y;print(a,b);print();start_thread f(x,y);start_thread goto L;end_thread;atomic_begin;atomic_end;
         return x,y; end
         <bool,int<2>> g() begin end enum{red,green} h() begin end void main() begin end end
         thread r begin void main() begin end end";

const CANONICAL: &str = "\
decl a, b: int<3>;
decl c: enum {red, green};
init a;

thread p[2]
begin
  decl z;
  init z;

  void main()
  begin
  end
end

thread q[*]
begin
  bool<2> f(x, y: bool)
  begin
    decl l;
    enforce l;
    L: M: if (a) then
      skip;
    elsif (b = 1) then
      return;
    else
      while (*) do
        N: skip;
      od
    fi
    atomic begin
      x, _ := T, 0 constrain x';
    end
    x, y := f(x, y);
    f(a, a);
    goto L, M;
    assert(a);
    assume(a);
    constrain(a);
    dead x, y;
    print(a, b);
    print();
    start_thread f(x, y);
    start_thread goto L;
    end_thread;
    atomic_begin;
    atomic_end;
    return x, y;
  end

  <bool, int<2>> g()
  begin
  end

  enum {red, green} h()
  begin
  end

  void main()
  begin
  end
end

thread r
begin
  void main()
  begin
  end
end
";

#[test]
fn parentheses_stay_where_they_matter() {
    check_expression("((a & b)) | (c)", "a & b | c");
    check_expression("a & (b | c)", "a & (b | c)");
    check_expression("a - (b - c) - d", "a - (b - c) - d");
    check_expression("(a - b) - c", "a - b - c");
    check_expression("(a => b) => (c => d)", "(a => b) => c => d");
    check_expression("(a <=> b) <=> (c <=> d)", "a <=> b <=> (c <=> d)");
    check_expression("(a ? b : c) ? (d ? e : f) : (g ? h : i)", "(a ? b : c) ? d ? e : f : g ? h : i");
    check_expression("!(a = b) = !!~c", "!(a = b) = !!!c");
    check_expression("-(-x) - -y * (a + * * ?)", "--x - -y * (a + * * *)");
    check_expression("choose[a, (b)]", "schoose[a, b]");
    check_expression("true && false || 1", "T & F | 1");
    check_expression("(a ? b : c) & (d => e)", "(a ? b : c) & (d => e)");
}

#[test]
fn comments_stay() {
    check(
        "// What the program does.

/* Two
   lines. */ decl a, // the first
  b; /* the second */ // and more
decl c; // alone


// About f.
void f() // head
begin // opening

  // before
  skip; // behind skip
  if (a) then // test
    // inside
  else
    skip; /* x */ /* y */
    // last
  fi // closing
  x := /* why */ y
    // and this
    & z;
  // the end of f
end // f

// The end.",
        "\
// What the program does.

/* Two
   lines. */
decl
  a, // the first
  b; /* the second */ // and more
decl c; // alone

// About f.
void f() // head
begin // opening
  // before
  skip; // behind skip
  if (a) then // test
    // inside
  else
    skip; /* x */ /* y */
    // last
  fi // closing
  x := y & z; /* why */
  // and this
  // the end of f
end // f

// The end.
",
    );
}

#[test]
fn one_blank_line_is_kept_within_blocks() {
    check(
        "void main() begin\n\n\n skip;\n\n\n\n skip;\n skip;\n\n end\n\n\n void f() begin end",
        "void main()\nbegin\n  skip;\n\n  skip;\n  skip;\nend\n\nvoid f()\nbegin\nend\n",
    );
}

#[test]
fn line_ends_of_other_systems_are_white_space() {
    check(
        "decl a; // one\r\nvoid main() begin\r\n  skip;\r\n\r\n  skip;\r\nend\r\n",
        "decl a; // one\n\nvoid main()\nbegin\n  skip;\n\n  skip;\nend\n",
    );
}
