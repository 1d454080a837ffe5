
// ---- An answer without a run: what holds before each line, and derivations that unfold. ----

const MOST_CLAUSES = 6;

/** What holds, by lines: each entry with what it is about, if that is not the line as a whole. */
function byLines(invariants, lines) {
  const found = new Map();
  for (const of of invariants) found.set(of.line, [...(found.get(of.line) || []), of]);
  for (const [line, all] of found) {
    const functions = new Set(all.map((of) => of.function));
    all.forEach((of, n) => {
      const code = (lines[line - 1] || '').slice(Math.max(0, of.column - 1)).split(';')[0].trim();
      const what = of.end ? (all.length > 1 ? 'at the end' : '') : n > 0 && of.column ? cut(code, 32) : '';
      of.about = functions.size > 1 ? `${of.function}${what ? `, ${what}` : ''}` : what;
    });
  }
  return found;
}

/** `!locked & n < 3`: as much of it as reads well, the rest on demand. */
function holdsBefore(of, isOpen, toggle) {
  if (!of.clauses.length && of.whole) return el('span');
  const isNever = of.clauses.length === 1 && of.clauses[0] === 'F';
  const node = el('span', isNever ? 'holds never' : 'holds');
  const about = of.about ? `${of.about}: ` : '';
  if (isNever) {
    node.textContent = `◂ ${about}never reached`;
    return node;
  }
  const shown = isOpen ? of.clauses : of.clauses.slice(0, MOST_CLAUSES);
  const rest = of.clauses.length - shown.length;
  const text = shown.join(' & ');
  node.textContent = `◂ ${about}${text}`;
  if (!of.whole && !rest) {
    const more = el('span', 'note', ' & …');
    more.title = 'the proof says more than reads well';
    node.append(more);
  }
  if (rest > 0 || (isOpen && of.clauses.length > MOST_CLAUSES)) {
    const button = el('button', 'link', rest > 0 ? ` & ${rest} more` : ' less');
    button.addEventListener('click', toggle);
    node.append(button);
  }
  return node;
}

/** So many tuples of a derivation are unfolded at once. */
const MOST_UNFOLDED = 12;

/** A derivation: each tuple unfolds to what it rests on. What rests on one tuple alone goes on below it, so that a long chain does not wander off. */
function derivationTree(box, reasons) {
  const usedBy = (of) => [...of.uses, ...of.again, ...(of.choices || []).flatMap(usedBy)];
  const used = new Set(reasons.flatMap(usedBy));
  const roots = reasons.map((_, n) => n + 1).filter((n) => n === 1 || !used.has(n));
  const list = (of) => (of || []).map(([name, value]) => `${name} = ${told(value)}`).join(', ');
  let unfolded = 0;
  const basis = (of, into) => {
    for (const text of of.facts || []) into.append(el('div', 'fact', `since ${text}`));
    for (const choice of of.choices || []) {
      const part = el('div', 'choice');
      const reply = list(pairsOf(choice.answer));
      part.append(el('div', 'fact', `if ${list(pairsOf(choice.choice))}${reply ? `, then ${reply}` : ''}`));
      basis(choice, part);
      for (const n of choice.uses || []) part.append(tuple(n));
      into.append(part);
    }
    for (const n of of.again || []) into.append(el('div', 'fact', `and ${n}. again: ${reasons[n - 1] ? reasons[n - 1].fact : '…'}`));
  };
  /** A tuple, and what it uses: below it if that is all, else within. */
  const tuple = (n) => {
    const reason = reasons[n - 1];
    if (!reason) return el('div', 'fact', `${n}. …`);
    const both = el('div', 'tuple');
    const details = el('details');
    const summary = el('summary');
    summary.append(el('span', 'number', `${n}. `), el('code', '', reason.fact));
    if (reason.clause) summary.append(el('span', 'note', `  clause ${reason.clause}, ${reason.place}`));
    details.append(summary);
    const uses = reason.uses || [];
    const isChain = uses.length === 1 && !(reason.choices || []).length;
    const rest = el('div', isChain ? 'chain' : 'within');
    both.append(details, rest);
    let isFilled = false;
    details.addEventListener('toggle', () => {
      rest.hidden = !details.open;
      if (isFilled) return;
      isFilled = true;
      const values = list(pairsOf(reason.choice));
      if (values) details.append(el('div', 'fact', `with ${values}`));
      basis(reason, details);
      if (details.children.length === 1 && !uses.length) details.append(el('div', 'fact', 'it rests on nothing else'));
      for (const used of uses) rest.append(tuple(used));
    });
    if (unfolded < MOST_UNFOLDED) {
      unfolded += 1;
      details.open = true;
    }
    return both;
  };
  for (const n of roots) box.append(tuple(n));
}

function pairsOf(of) {
  if (Array.isArray(of)) return of.map((a) => (Array.isArray(a) ? a : [a.name, a.value]));
  return Object.entries(of || {});
}

/** A value of a derivation: a number, a name, or a state with its place. */
function told(value) {
  if (value === null || typeof value !== 'object') return String(value);
  const place = [value.function, value.line ? `line ${value.line}` : ''].filter((t) => t).join(', ');
  const values = pairsOf(value.values).map(([name, of]) => `${name} = ${told(of)}`).join(', ');
  return [place, values].filter((t) => t).join(': ') || JSON.stringify(value);
}
