
// ---- The page: the program beside the run, and the state after each step. ----
//
// Contract: everything shown comes from the one JSON object in the page, as text and never as markup; nothing is asked for, stored or sent. Of the lists only what is
// visible is in the document, so that long runs open and move as fast as short ones.

if (typeof document !== 'undefined') document.addEventListener('DOMContentLoaded', () => new Page());

function el(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Puts where we are into the address; a page in a frame may have none of its own. */
function addressed(where) {
  try {
    window.history.replaceState(null, '', `#${where}`);
  } catch (_) {
    // Then there is no link to a step.
  }
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
    this.trace = unpacked(this.data.answer.trace);
    this.lines = this.data.source ? this.data.source.text.split('\n') : [];
    this.at = 0;
    this.round = 1;
    this.folded = new Set();
    this.filter = '';
    const plain = document.getElementById('plain');
    this.header();
    this.main = document.getElementById('main');
    this.views = [];
    this.view('main', this.trace ? 'Run' : 'Program', this.main);
    if (this.trace) {
      this.prepare();
      this.build();
    } else {
      this.still();
    }
    this.pictures();
    this.tabs();
    if (!this.trace) document.getElementById('keys').textContent = this.views.length > 1 ? `1 … ${this.views.length} other views · Tab to what unfolds` : '';
    if (this.trace || this.data.source) plain.remove();
  }

  /** Something to look at, behind a tab; what it shows is made when it is first looked at. */
  view(id, title, box, make) {
    this.views.push({ id, title, box, make });
  }

  pictures() {
    const { states, calls } = this.data.pictures || {};
    const section = (id, title, make) => {
      const box = el('section', 'view');
      box.id = id;
      box.hidden = true;
      box.setAttribute('aria-label', title);
      this.main.after(box);
      this.view(id, title, box, make);
    };
    const derivations = [this.data.reasons, ...(this.data.answer.answers || []).map((a) => a.derivation)].filter((d) => Array.isArray(d) && d.length);
    if (derivations.length) section('derivation', 'Derivation', (box) => derivations.forEach((d) => derivationTree(box, d)));
    if (this.trace && this.threads.size > 1) {
      const names = new Map();
      for (const of of this.trace.steps) names.set(keyOf(of), of);
      for (const of of this.trace.threads) names.set(keyOf(of), of);
      const go = (row) => {
        this.look(0);
        this.go(row);
      };
      section('lanes', 'Threads', (box) => lanes(box, this.trace, this.threads, (key) => this.label(names.get(key)), (n) => `hsl(${HUES[n % HUES.length]} 60% 55%)`, go));
    }
    if (states && states.nodes.length) {
      const n = states.nodes.length;
      const count = states.cut ? `the first ${n} states; there are more` : `${n} state${n === 1 ? '' : 's'}, ${states.edges.length} step${states.edges.length === 1 ? '' : 's'}`;
      section('states', 'States', (box) => new Graph(box, states, { id: 'states', label: 'States and steps', count, start: 'a run starts here', out: 'steps from here', into: 'steps to here' }));
    }
    if (calls) {
      section('calls', 'Calls', (box) => new Graph(box, calls, { id: 'calls', label: 'Who calls whom', count: `${calls.nodes.length} functions`, start: 'a run starts here', out: 'calls', into: 'is called by' }));
    }
    if (this.data.stats) section('figures', 'Figures', (box) => bars(box, this.data.answer.stats, this.data.stats));
  }

  /** Leads from one view to another, if there are several. */
  tabs() {
    if (this.views.length < 2) return;
    const bar = document.getElementById('tabs');
    bar.setAttribute('role', 'tablist');
    this.views.forEach((view, n) => {
      view.tab = el('button', 'tab', view.title);
      view.tab.setAttribute('role', 'tab');
      view.tab.title = `key ${n + 1}`;
      view.tab.addEventListener('click', () => this.look(n));
      bar.append(view.tab);
    });
    document.addEventListener('keydown', (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && event.target.tagName !== 'INPUT';
      if (isPlain && /^[1-9]$/.test(event.key) && this.views[event.key - 1]) this.look(event.key - 1);
    });
    const asked = this.views.findIndex((view) => `#${view.id}` === window.location.hash);
    const drawn = this.data.pictures && this.data.pictures.first ? this.views.findIndex((view) => view.id === this.data.pictures.first) : -1;
    this.look(Math.max(0, asked, drawn), true);
  }

  look(n, isFirst) {
    this.views.forEach((view, k) => {
      view.box.hidden = k !== n;
      if (view.tab) view.tab.setAttribute('aria-selected', String(k === n));
    });
    if (this.strip) this.strip.hidden = n !== 0;
    const view = this.views[n];
    this.looked = n;
    if (view.make && !view.made) {
      view.made = true;
      view.make(view.box);
    }
    if (n === 0) {
      for (const list of [this.sources, this.rows]) if (list) list.refresh();
      if (this.strip) this.drawStrip();
    }
    if (!isFirst && n !== 0) addressed(view.id);
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
    const isDrawn = this.data.pictures && this.data.pictures.first;
    // A derivation has a view of its own.
    const because = this.data.reasons.length ? this.data.details.indexOf('because') : -1;
    const details = isDrawn ? [] : because < 0 ? this.data.details : this.data.details.slice(0, because);
    for (const line of details) about.append(el('p', '', line));
    for (const why of this.data.why) about.append(el('p', 'why', why));
    for (const note of this.data.notes) about.append(el('p', 'note', note));
    if (this.data.advice.length) {
      about.append(el('p', 'note', 'What to try:'));
      const list = el('ul');
      for (const advice of this.data.advice) list.append(el('li', '', advice));
      about.append(list);
    }
  }

  /** An answer without a run: the program, with what holds before each line. */
  still() {
    if (!this.data.source) return;
    const holds = byLines(this.data.invariants, this.lines);
    const open = new Set();
    const source = this.pane('source', 'Program');
    this.main.classList.add('still');
    this.sources = new Virtual(source, (i) => {
      const row = el('div', 'line');
      row.append(el('span', 'number', String(i + 1)), el('code', '', this.lines[i]));
      for (const of of holds.get(i + 1) || []) {
        row.append(holdsBefore(of, open.has(of), () => {
          if (!open.delete(of)) open.add(of);
          this.sources.refresh();
        }));
      }
      return row;
    });
    this.sources.size(this.lines.length);
    source.tabIndex = 0;
    source.focus({ preventScroll: true });
  }

  /** What is looked up while moving: threads, rows, visits of lines, where calls end. */
  prepare() {
    const trace = this.trace;
    this.replay = new Replay(trace);
    const blocks = new Map();
    for (const thread of trace.threads) blocks.set(thread.thread, (blocks.get(thread.thread) || 0) + 1);
    const names = new Set(trace.threads.map(keyOf));
    for (const step of trace.steps) names.add(keyOf(step));
    this.threads = new Map([...names].map((key, n) => [key, n]));
    this.label = (of) => (blocks.get(of.thread) > 1 || of.copy > 0 ? keyOf(of) : of.thread);
    this.visits = new Map();
    this.deepest = 1;
    for (const step of trace.steps) {
      if (step.line) this.visits.set(step.line, (this.visits.get(step.line) || 0) + 1);
      this.deepest = Math.max(this.deepest, step.depth + 1);
    }
    this.ends = callEnds(trace.steps);
    const cycle = trace.cycle;
    const index = (number) => trace.steps.findIndex((s) => s.step === number || s.first === number) + 1;
    this.cycle = cycle ? { first: index(cycle.first), last: trace.steps.length } : null;
    this.last = trace.steps.length + (trace.goal || trace.deadlock ? 1 : 0);
    this.unfold();
  }

  /** The rows that are shown, calls folded. */
  unfold() {
    this.shown = [];
    const place = new Int32Array(this.last + 1).fill(-1);
    for (let i = 0; i <= this.last; i++) {
      place[i] = this.shown.length;
      this.shown.push(i);
      if (this.folded.has(i) && this.ends[i]) i = this.ends[i] - 1;
    }
    this.position = { has: (row) => place[row] >= 0, get: (row) => place[row] };
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
    const number = /^#[0-9]+$/.test(window.location.hash) ? Number(window.location.hash.slice(1)) : -1;
    if (number < 0) return false;
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
    if (!keepsAddress) this.address(row);
  }

  /** The row in the address; not while keys come faster than a browser takes addresses. */
  address(row) {
    if (this.addressing) clearTimeout(this.addressing);
    this.addressing = setTimeout(() => addressed(row), 120);
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
      const title = el('div', 'frame', frame.fn || 'main');
      if (frame.line) title.append(el('span', 'note', `  line ${frame.line}`));
      out.push(title);
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
      if (event.ctrlKey || event.metaKey || event.altKey || !act[event.key] || this.looked > 0) return;
      event.preventDefault();
      act[event.key](event);
    });
  }
}

