// The page of an answer: the program beside the run, and the state after each step.
//
// Contract: everything shown comes from the one JSON object in the page, as text and never as markup; nothing is asked for, stored or sent. States are
// rebuilt from check points, and of the lists only what is visible is in the document, so that long runs open and move as fast as short ones.
'use strict';

// ---- The replay: states from steps. It needs no document, so that tests run it alone. ----

const CHECK = 512;

class Replay {
  constructor(trace) {
    this.trace = trace;
    this.steps = trace.steps;
    this.points = [start(trace)];
  }

  /** The state after so many rows of steps. */
  at(n) {
    const point = Math.min(Math.floor(n / CHECK), this.points.length - 1);
    let state = copied(this.points[point]);
    for (let i = point * CHECK; i < n; i++) {
      apply(state, this.steps[i]);
      if ((i + 1) % CHECK === 0 && (i + 1) / CHECK === this.points.length) {
        this.points.push(copied(state));
      }
    }
    return state;
  }
}

function mapOf(assignments) {
  return new Map((assignments || []).map((a) => [a.name, a.value]));
}

function threadName(of) {
  return of.copy > 0 || of.many ? `${of.thread}[${of.copy}]` : of.thread;
}

function start(trace) {
  const state = { shared: mapOf(trace.globals), threads: new Map(), monitor: trace.monitor ? trace.monitor.start : null };
  for (const thread of trace.threads) {
    const frame = { fn: null, line: null, locals: mapOf(thread.locals) };
    state.threads.set(keyOf(thread), { private: mapOf(thread.private), stack: [frame], ended: false });
  }
  return state;
}

function keyOf(of) {
  return `${of.thread}[${of.copy}]`;
}

function copied(state) {
  const threads = new Map();
  for (const [key, thread] of state.threads) {
    const stack = thread.stack.map((f) => ({ fn: f.fn, line: f.line, locals: new Map(f.locals) }));
    threads.set(key, { private: new Map(thread.private), stack, ended: thread.ended });
  }
  return { shared: new Map(state.shared), threads, monitor: state.monitor };
}

/** What a step does to a state. */
function apply(state, step) {
  const thread = state.threads.get(keyOf(step));
  if (!thread) return;
  const top = () => thread.stack[thread.stack.length - 1];
  if (step.kind !== 'repeat' && step.kind !== 'omitted' && top()) {
    top().fn = step.function;
    top().line = step.line;
  }
  if (step.kind === 'call') {
    const locals = new Map([...mapOf(step.arguments), ...mapOf(step.locals)]);
    thread.stack.push({ fn: step.callee, line: null, locals });
  }
  if (step.caller !== undefined && thread.stack.length > 1) thread.stack.pop();
  if (step.kind === 'end') {
    thread.stack = [];
    thread.ended = true;
  }
  for (const change of step.changes || []) assign(state, thread, change);
  if (step.monitor !== undefined) state.monitor = step.monitor;
}

function assign(state, thread, change) {
  if (change.function !== null && change.function !== undefined) {
    const top = thread.stack[thread.stack.length - 1];
    if (top) top.locals.set(change.name, change.value);
  } else if (thread.private.has(change.name)) {
    thread.private.set(change.name, change.value);
  } else {
    state.shared.set(change.name, change.value);
  }
}

/** What a step does, in the words of the text. */
function effect(step) {
  const list = (of) => (of || []).map((a) => `${a.name} = ${a.value}`).join(', ');
  const stars = (step.chosen || []).length ? ` [${step.chosen.map((v) => `* = ${v}`).join(', ')}]` : '';
  switch (step.kind) {
    case 'test': return (step.value ? 'T' : 'F') + (step.is_chosen ? ', chosen' : '');
    case 'jump': return `to ${step.label}`;
    case 'assign': return list(step.changes) + stars;
    case 'call': {
      const locals = list(step.locals);
      return `${step.callee}(${list(step.arguments)})${locals ? ', ' + locals : ''}${stars}`;
    }
    case 'return': {
      const changes = list(step.changes);
      return `back in ${step.caller}${changes ? ': ' + changes : ''}${stars}`;
    }
    case 'end': return 'ends here';
    case 'start': return step.starts ? `starts ${step.starts}` : 'starts a thread that takes no step';
    default: return list(step.changes);
  }
}

if (typeof module !== 'undefined') module.exports = { Replay, effect, keyOf };

// ---- The page. ----

if (typeof document !== 'undefined') document.addEventListener('DOMContentLoaded', () => new Page());

function el(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
}

const ROW = 22;
const HUES = [210, 30, 140, 280, 0, 175, 60, 320];

/** A list of which only what is visible is in the document. */
class Virtual {
  constructor(box, draw) {
    this.box = box;
    this.draw = draw;
    this.n = 0;
    this.space = el('div', 'space');
    this.rows = el('div', 'rows');
    this.space.append(this.rows);
    box.append(this.space);
    box.addEventListener('scroll', () => this.refresh());
    window.addEventListener('resize', () => this.refresh());
  }

  size(n) {
    this.n = n;
    this.space.style.height = `${n * ROW}px`;
    this.refresh();
  }

  refresh() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5);
    const count = Math.ceil((this.box.clientHeight || 600) / ROW) + 10;
    const last = Math.min(this.n, first + count);
    this.rows.style.transform = `translateY(${first * ROW}px)`;
    const drawn = [];
    for (let i = first; i < last; i++) drawn.push(this.draw(i));
    this.rows.replaceChildren(...drawn);
  }

  /** Scrolls as little as needed for a row to be seen with some around it. */
  reveal(i) {
    const top = i * ROW;
    const height = this.box.clientHeight || 600;
    const margin = Math.min(4 * ROW, height / 3);
    if (top - margin < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - margin);
    else if (top + ROW + margin > this.box.scrollTop + height) this.box.scrollTop = top + ROW + margin - height;
    this.refresh();
  }
}

class Page {
  constructor() {
    this.data = JSON.parse(document.getElementById('data').textContent);
    this.trace = this.data.answer.trace;
    this.lines = this.data.source ? this.data.source.text.split('\n') : [];
    this.at = 0;
    this.round = 1;
    this.folded = new Set();
    this.filter = '';
    const plain = document.getElementById('plain');
    this.header();
    this.main = document.getElementById('main');
    if (this.trace) {
      this.prepare();
      this.build();
      plain.remove();
    } else {
      this.still();
      if (this.data.source) plain.remove();
    }
  }

  header() {
    const head = document.getElementById('head');
    const kind = this.data.status === 10 ? 'bad' : this.data.status === 0 ? 'good' : 'open';
    head.append(el('h1', kind, this.data.headline));
    head.append(el('span', 'file', this.data.name));
    this.where = el('span', 'where', '');
    this.where.setAttribute('aria-live', 'polite');
    head.append(this.where, el('span', 'tool', this.data.answer.tool));
    const about = document.getElementById('about');
    for (const line of this.data.details) about.append(el('p', '', line));
    for (const note of this.data.notes) about.append(el('p', 'note', note));
    if (this.data.advice.length) {
      about.append(el('p', 'note', 'What to try:'));
      const list = el('ul');
      for (const advice of this.data.advice) list.append(el('li', '', advice));
      about.append(list);
    }
    if (this.data.stats) {
      const details = el('details');
      details.append(el('summary', '', 'Figures'), el('pre', '', this.data.stats));
      about.append(details);
    }
  }

  /** An answer without a run: the program, with what holds before each line. */
  still() {
    if (!this.data.source) return;
    const holds = new Map();
    for (const { line, text } of this.data.invariants) holds.set(line, [...(holds.get(line) || []), text]);
    const source = this.pane('source', 'Program');
    this.main.classList.add('still');
    this.sources = new Virtual(source, (i) => {
      const row = el('div', 'line');
      row.append(el('span', 'number', String(i + 1)), el('code', '', this.lines[i]));
      if (holds.has(i + 1)) row.append(el('span', 'holds', `◂ ${holds.get(i + 1).join(' or ')}`));
      return row;
    });
    this.sources.size(this.lines.length);
    source.tabIndex = 0;
    if (this.data.derivation.length) {
      const pane = this.pane('derivation', 'Why');
      for (const line of this.data.derivation) pane.append(el('div', '', line));
    }
  }

  /** What is looked up while moving: threads, rows, visits of lines, where calls end. */
  prepare() {
    const trace = this.trace;
    this.replay = new Replay(trace);
    const blocks = new Map();
    for (const thread of trace.threads) blocks.set(thread.thread, (blocks.get(thread.thread) || 0) + 1);
    const names = [...new Set([...trace.threads, ...trace.steps].map(keyOf))];
    this.threads = new Map(names.map((key, n) => [key, n]));
    this.label = (of) => (blocks.get(of.thread) > 1 || of.copy > 0 ? keyOf(of) : of.thread);
    this.visits = new Map();
    this.deepest = 1;
    for (const step of trace.steps) {
      if (step.line) this.visits.set(step.line, (this.visits.get(step.line) || 0) + 1);
      this.deepest = Math.max(this.deepest, step.depth + 1);
    }
    this.ends = callEnds(trace.steps);
    const cycle = trace.cycle;
    const index = (number) => trace.steps.findIndex((s) => String(s.step) === String(number)) + 1;
    this.cycle = cycle ? { first: index(cycle.first), last: trace.steps.length } : null;
    this.last = trace.steps.length + (trace.goal || trace.deadlock ? 1 : 0);
    this.unfold();
  }

  /** The rows that are shown, calls folded. */
  unfold() {
    this.shown = [];
    for (let i = 0; i <= this.last; i++) {
      this.shown.push(i);
      if (this.folded.has(i) && this.ends[i]) i = this.ends[i] - 1;
    }
    this.position = new Map(this.shown.map((row, n) => [row, n]));
  }

  pane(id, title) {
    const pane = el('section', 'pane');
    pane.id = id;
    pane.setAttribute('aria-label', title);
    this.main.append(pane);
    return pane;
  }

  build() {
    this.strip = el('canvas');
    this.strip.id = 'strip';
    this.strip.setAttribute('aria-hidden', 'true');
    this.main.before(this.strip);
    const source = this.pane('source', 'Program');
    const steps = this.pane('steps', 'Run');
    const state = this.pane('state', 'State');
    this.sources = new Virtual(source, (i) => this.sourceRow(i));
    this.rows = new Virtual(steps, (n) => this.stepRow(this.shown[n]));
    steps.tabIndex = 0;
    steps.setAttribute('role', 'listbox');
    this.search(state);
    this.values = el('div');
    state.append(this.values);
    this.keys();
    const pick = (event) => {
      const box = this.strip.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * this.last);
      this.go(Math.max(0, Math.min(this.last, at)));
    };
    this.strip.addEventListener('pointerdown', (event) => {
      pick(event);
      this.strip.setPointerCapture(event.pointerId);
    });
    this.strip.addEventListener('pointermove', (event) => { if (event.buttons) pick(event); });
    window.addEventListener('resize', () => this.drawStrip());
    window.addEventListener('hashchange', () => this.fromAddress());
    this.sources.size(this.lines.length);
    this.rows.size(this.shown.length);
    this.drawStrip();
    if (!this.fromAddress()) this.go(this.last, true);
    steps.focus({ preventScroll: true });
  }

  fromAddress() {
    const number = Number.parseInt(window.location.hash.slice(1), 10);
    if (!(number >= 0)) return false;
    this.go(Math.min(number, this.last));
    return true;
  }

  search(state) {
    const filter = el('input');
    filter.type = 'search';
    filter.placeholder = 'variables: filter by name';
    filter.setAttribute('aria-label', 'Filter variables by name');
    filter.addEventListener('input', () => {
      this.filter = filter.value.toLowerCase();
      this.drawState();
    });
    state.append(filter);
    this.find = el('input', 'hidden');
    this.find.type = 'search';
    this.find.placeholder = 'find in the run: Enter next, Escape back';
    this.find.setAttribute('aria-label', 'Find in the run');
    document.getElementById('steps').before(this.find);
    this.find.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.findNext(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') {
        this.find.classList.add('hidden');
        document.getElementById('steps').focus();
      }
      event.stopPropagation();
    });
    filter.addEventListener('keydown', (event) => event.stopPropagation());
  }

  sourceRow(i) {
    const here = this.lineAt(this.at) === i + 1;
    const n = this.visits.get(i + 1) || 0;
    const row = el('div', `line${n ? ' visited' : ''}${here ? ' here' : ''}`);
    row.append(el('span', 'number', String(i + 1)), el('span', 'visits', n > 1 ? `${n}×` : n ? '·' : ''), el('code', '', this.lines[i]));
    row.addEventListener('click', () => this.goToLine(i + 1));
    return row;
  }

  lineAt(row) {
    if (row === 0) return this.trace.steps.length ? this.trace.steps[0].line : null;
    if (row > this.trace.steps.length) return this.trace.goal ? this.trace.goal.line : null;
    return this.trace.steps[row - 1].line || null;
  }

  /** The next step at a line, after the selected one, or the first. */
  goToLine(line) {
    const rows = this.trace.steps.map((step, n) => (step.line === line ? n + 1 : 0)).filter((n) => n);
    if (rows.length) this.go(rows.find((row) => row > this.at) || rows[0]);
  }

  stepRow(row) {
    const steps = this.trace.steps;
    const step = steps[row - 1];
    const line = el('div', `step${row === this.at ? ' here' : ''}`);
    line.setAttribute('role', 'option');
    line.setAttribute('aria-selected', String(row === this.at));
    if (row === this.at) line.id = 'selected';
    line.addEventListener('click', () => this.go(row));
    if (row === 0) {
      const values = [...mapOf(this.trace.globals)].map(([name, value]) => `${name} = ${value}`).join(', ');
      line.append(el('span', 'number', ''), el('span', 'rail'), el('code', 'statement', '(initially)'), el('span', 'effect', values));
      return line;
    }
    if (!step) {
      line.append(el('span', 'number', ''), el('span', 'rail'), el('code', 'statement goal', this.goal()), el('span', 'effect', ''));
      return line;
    }
    const number = this.threads.get(keyOf(step)) || 0;
    const before = steps[row - 2];
    const switches = this.threads.size > 1 && (!before || before.context !== step.context);
    if (switches) line.classList.add('switch');
    if (this.cycle && row >= this.cycle.first) line.classList.add('cycle', row === this.cycle.first ? 'first' : 'inner');
    const rail = el('span', 'rail');
    if (this.threads.size > 1) {
      rail.style.borderLeftColor = `hsl(${HUES[number % HUES.length]} 70% 50%)`;
      rail.style.marginLeft = `${Math.min(number, 8) * 8}px`;
    }
    const indent = Math.max(0, step.depth - this.base()) * 2;
    const fold = this.ends[row] ? (this.folded.has(row) ? '▸ ' : '▾ ') : '';
    const text = step.statement || { repeat: `as steps ${step.first}–${step.last}`, omitted: `steps ${step.first}–${step.last} are left out` }[step.kind] || '';
    const statement = el('code', 'statement', ' '.repeat(indent) + fold + text);
    line.append(el('span', 'number', String(step.step)), rail);
    if (switches) line.append(el('span', 'thread', this.label(step)));
    line.append(statement, el('span', 'effect', effect(step)));
    if (step.labels) line.append(el('span', 'labels', step.labels.join(' ')));
    return line;
  }

  goal() {
    const goal = this.trace.goal;
    if (!goal) return 'deadlock: nobody can go on';
    return { assert: 'the assertion fails', overflow: 'the result overflows', call: 'the error is called' }[goal.kind] || `${goal.labels.join(', ') || 'the target'} is reached`;
  }

  /** The depth that is not indented: it follows the selection, so that what is deep reads like what is not. */
  base() {
    const step = this.trace.steps[Math.max(0, Math.min(this.at, this.trace.steps.length) - 1)];
    return step ? Math.max(0, step.depth - 12) : 0;
  }

  go(row, keepsAddress) {
    this.at = row;
    if (!this.position.has(row)) {
      for (const call of [...this.folded]) if (call < row && this.ends[call] > row) this.folded.delete(call);
      this.unfold();
      this.rows.size(this.shown.length);
    }
    this.rows.reveal(this.position.get(row));
    const line = this.lineAt(row);
    if (line) this.sources.reveal(line - 1);
    else this.sources.refresh();
    this.drawState();
    this.drawStrip();
    const n = this.trace.steps.length;
    const step = this.trace.steps[Math.min(row, n) - 1];
    const parts = [row === 0 ? 'before the first step' : row > n ? 'at the end' : `step ${step.step} of ${this.trace.n_steps}`];
    if (this.base() > 0) parts.push(`indented from depth ${this.base()}`);
    if (this.cycle && row >= this.cycle.first) parts.push(`⟲ for ever, round ${this.round}`);
    this.where.textContent = parts.join(' · ');
    if (!keepsAddress) window.history.replaceState(null, '', `#${row}`);
  }

  drawState() {
    const n = this.trace.steps.length;
    const now = this.replay.at(Math.min(this.at, n));
    const before = this.at > 0 ? this.replay.at(Math.min(this.at, n + 1) - 1) : now;
    const out = [];
    if (this.trace.monitor) {
      const words = (this.trace.monitor.words || []).find((w) => w.state === now.monitor);
      out.push(el('h2', '', this.trace.monitor.name));
      out.push(this.value('state', words ? `${now.monitor}: ${words.words}` : now.monitor, before.monitor === now.monitor ? undefined : before.monitor));
    }
    if (now.shared.size) {
      out.push(el('h2', '', this.threads.size > 1 ? 'shared' : 'globals'));
      out.push(...this.valuesOf(now.shared, before.shared));
    }
    for (const thread of this.trace.threads) {
      const key = keyOf(thread);
      const [own, old] = [now.threads.get(key), before.threads.get(key)];
      if (!own) continue;
      out.push(el('h2', '', this.threads.size > 1 ? this.label(thread) + (own.ended ? ': has ended' : '') : 'calls, innermost first'));
      out.push(...this.valuesOf(own.private, old.private));
      out.push(...this.stackOf(own.stack, old.stack));
      if (this.at > n || this.cycle) out.push(...this.fate(thread));
    }
    if (this.trace.not_started.length) out.push(el('p', 'note', `never started: ${this.trace.not_started.join(', ')}`));
    this.values.replaceChildren(...out);
  }

  /** What becomes of a thread: in a deadlock, or for ever. */
  fate(thread) {
    const out = [];
    for (const wait of thread.waits_for || []) {
      const values = (wait.values || []).map((a) => `${a.name} = ${a.value}`).join(', ');
      const what = wait.kind === 'thread' ? `waits for ${wait.thread}` : `waits at line ${wait.line}: ${wait.statement}`;
      out.push(el('p', 'note', values ? `${what}, where ${values}` : what));
    }
    const ever = thread.for_ever;
    if (ever && !ever.runs) {
      out.push(el('p', 'note', ever.can_run ? 'never runs again, though it could' : 'never runs again, and cannot'));
    }
    return out;
  }

  valuesOf(now, before) {
    const out = [];
    for (const [name, value] of now) {
      if (this.filter && !name.toLowerCase().includes(this.filter)) continue;
      const old = before.get(name);
      out.push(this.value(name, value, old === value ? undefined : old === undefined ? '?' : old));
    }
    return out;
  }

  value(name, value, old) {
    const row = el('div', old === undefined ? 'value' : 'value changed');
    row.append(el('span', 'name', name), el('span', '', old === undefined ? String(value) : `${old} → ${value}`));
    return row;
  }

  stackOf(stack, old) {
    const out = [];
    for (let i = stack.length - 1; i >= 0; i--) {
      if (stack.length > 11 && i === stack.length - 9) {
        out.push(el('div', 'more', `… ${stack.length - 11} more`));
        i = 3;
        continue;
      }
      const frame = stack[i];
      const same = old[i] && (old[i].fn === frame.fn || old[i].fn === null) ? old[i].locals : new Map();
      out.push(el('div', 'frame', `${frame.fn || 'main'}${frame.line ? `  line ${frame.line}` : ''}`));
      out.push(...this.valuesOf(frame.locals, same));
    }
    return out;
  }

  drawStrip() {
    const canvas = this.strip;
    const width = Math.max(100, canvas.clientWidth || 800);
    const lanes = Math.min(8, this.threads.size);
    const height = lanes * 14 + 4;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    const n = Math.max(1, this.last);
    for (let x = 0; x < width; x++) {
      const step = this.trace.steps[Math.min(this.trace.steps.length - 1, Math.floor((x / width) * n))];
      if (!step) continue;
      const lane = (this.threads.get(keyOf(step)) || 0) % lanes;
      const tall = 3 + (9 * (step.depth + 1)) / this.deepest;
      pen.fillStyle = `hsl(${HUES[(this.threads.get(keyOf(step)) || 0) % HUES.length]} 55% 55%)`;
      pen.fillRect(x, (lane + 1) * 14 - tall + 1, 1, tall);
    }
    const x = (row) => (row / n) * width;
    if (this.cycle) {
      pen.strokeStyle = 'rgb(128 128 128)';
      pen.strokeRect(x(this.cycle.first - 1) + 0.5, 0.5, Math.max(2, width - x(this.cycle.first - 1) - 1), height - 1);
    }
    pen.fillStyle = 'rgb(220 40 40)';
    pen.fillRect(Math.min(width - 2, x(this.at)), 0, 2, height);
  }

  move(by) {
    const n = this.position.get(this.at) + by;
    if (this.cycle && by > 0 && this.at === this.last) {
      this.round += 1;
      this.go(this.cycle.first);
    } else if (n >= 0 && n < this.shown.length) {
      this.go(this.shown[n]);
    }
  }

  /** The next row for which something holds, in a direction. */
  seek(by, holds) {
    for (let row = this.at + by; row >= 0 && row <= this.last; row += by) {
      if (holds(row)) return this.go(row);
    }
    return undefined;
  }

  step(row) {
    return this.trace.steps[row - 1];
  }

  over(by) {
    const here = this.step(this.at);
    if (!here) return this.move(by);
    const same = (row) => !this.step(row) || (keyOf(this.step(row)) === keyOf(here) && this.step(row).depth <= here.depth);
    return this.seek(by, same);
  }

  out() {
    const here = this.step(this.at);
    if (!here) return undefined;
    return this.seek(1, (row) => !this.step(row) || (keyOf(this.step(row)) === keyOf(here) && this.step(row).depth < here.depth));
  }

  fold() {
    let call = this.ends[this.at] ? this.at : 0;
    for (let row = this.at; !call && row > 0; row--) if (this.ends[row] > this.at) call = row;
    if (!call) return;
    if (this.folded.has(call)) this.folded.delete(call);
    else this.folded.add(call);
    this.unfold();
    this.rows.size(this.shown.length);
    this.go(call);
  }

  findNext(by) {
    const word = this.find.value.toLowerCase();
    const text = (row) => (this.step(row) ? `${this.step(row).statement || ''} ${effect(this.step(row))}`.toLowerCase() : '');
    if (word) this.seek(by, (row) => text(row).includes(word));
  }

  keys() {
    const changes = (row) => this.step(row) && (this.step(row).changes || []).length > 0;
    const context = (row) => !this.step(row) || !this.step(row - 1) || this.step(row).context !== this.step(row - 1).context;
    const act = {
      ArrowDown: (e) => (e.shiftKey ? this.over(1) : this.move(1)),
      ArrowUp: (e) => (e.shiftKey ? this.over(-1) : this.move(-1)),
      ArrowRight: () => this.move(1),
      ArrowLeft: () => this.move(-1),
      j: () => this.move(1),
      k: () => this.move(-1),
      o: () => this.out(),
      n: () => this.seek(1, context),
      N: () => this.seek(-1, context),
      c: () => this.seek(1, changes),
      C: () => this.seek(-1, changes),
      f: () => this.fold(),
      PageDown: () => this.move(Math.min(20, this.shown.length - 1 - this.position.get(this.at))),
      PageUp: () => this.move(-Math.min(20, this.position.get(this.at))),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      '/': () => {
        this.find.classList.remove('hidden');
        this.find.focus();
      },
    };
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !act[event.key]) return;
      event.preventDefault();
      act[event.key](event);
    });
  }
}

/** For each row of a call the row behind its return, if it has one. */
function callEnds(steps) {
  const ends = [];
  const open = new Map();
  steps.forEach((step, n) => {
    const key = keyOf(step);
    if (!open.has(key)) open.set(key, []);
    if (step.kind === 'call') open.get(key).push(n + 1);
    else if (step.caller !== undefined) {
      const call = open.get(key).pop();
      if (call) ends[call] = n + 2;
    }
  });
  return ends;
}
