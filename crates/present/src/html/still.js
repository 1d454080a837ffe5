
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

/** A derivation: each tuple unfolds to what it rests on. */
function derivationTree(box, reasons) {
  const usedBy = (of) => [...of.uses, ...of.again, ...(of.choices || []).flatMap(usedBy)];
  const used = new Set(reasons.flatMap(usedBy));
  const roots = reasons.map((_, n) => n + 1).filter((n) => n === 1 || !used.has(n));
  const list = (of) => (of || []).map(([name, value]) => `${name} = ${told(value)}`).join(', ');
  const basis = (of, into) => {
    for (const text of of.facts || []) into.append(el('div', 'fact', `since ${text}`));
    for (const choice of of.choices || []) {
      const part = el('div', 'choice');
      const reply = list(pairsOf(choice.answer));
      part.append(el('div', 'fact', `if ${list(pairsOf(choice.choice))}${reply ? `, then ${reply}` : ''}`));
      basis(choice, part);
      into.append(part);
    }
    for (const n of of.uses || []) into.append(tuple(n));
    for (const n of of.again || []) into.append(el('div', 'fact', `and ${n}. again: ${reasons[n - 1] ? reasons[n - 1].fact : '…'}`));
  };
  const tuple = (n) => {
    const reason = reasons[n - 1];
    if (!reason) return el('div', 'fact', `${n}. …`);
    const details = el('details');
    const summary = el('summary');
    summary.append(el('span', 'number', `${n}. `), el('code', '', reason.fact));
    if (reason.clause) summary.append(el('span', 'note', `  clause ${reason.clause}, ${reason.place}`));
    details.append(summary);
    let isFilled = false;
    details.addEventListener('toggle', () => {
      if (isFilled) return;
      isFilled = true;
      const values = list(pairsOf(reason.choice));
      if (values) details.append(el('div', 'fact', `with ${values}`));
      basis(reason, details);
      if (details.children.length === 1) details.append(el('div', 'fact', 'it rests on nothing else'));
    });
    return details;
  };
  for (const n of roots) {
    const root = tuple(n);
    box.append(root);
    if (n === roots[0]) root.open = true;
  }
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
