//! A critical section that notices a second thread, for the algorithms that should keep it out.
//!
//! A thread is `main`, which enters, works and leaves as often as it likes; `enter` and `leave` are the algorithm's.

/// The thread of this name. The lines of `enter` and `leave` are indented by four blanks.
pub fn thread(name: &str, enter: &str, leave: &str) -> String {
    format!(
        "
thread {name}
begin
  void enter()
  begin
{enter}
  end

  void leave()
  begin
{leave}
  end

  void main()
  begin
    while (*) do
      enter();
      if (critical) then
        ERROR: skip;
      fi
      CRITICAL: critical := T;
      critical := F;
      leave();
    od
  end
end
"
    )
}
