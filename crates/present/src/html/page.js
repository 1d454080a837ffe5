
// ---- The page: the program beside the run, and the state after each step. ----
//
// Contract: everything shown comes from the one JSON object in the page, as text and never as markup; nothing is asked for, stored or sent. Of the lists only what is
// visible is in the document, so that long runs open and move as fast as short ones.

if (typeof document !== 'undefined') document.addEventListener('DOMContentLoaded', () => new Page());

function el(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = visible(text);
  return node;
}

/** Text in which nothing turns the direction: what would is named, so that a program reads as it runs. */
function visible(text) {
  return String(text).replace(/[\u202a-\u202e\u2066-\u2069]/g, (letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase()}⟩`);
}

/** Puts where we are into the address; a page in a frame may have none of its own. */
function addressed(where) {
  try {
    window.history.replaceState(null, '', `#${where}`);
  } catch (_) {
    // Then there is no link to a step.
  }
}

/** So many objects, and cells of each, are shown. */
const MOST_OBJECTS = 16;
const MOST_CELLS = 24;
/** Longer lines have what holds behind their end. */
const WIDEST_NOTED = 56;
const GRAPH_KEYS = ['↑ ↓ ← → to another one'];
const HUES = [210, 30, 140, 280, 0, 175, 60, 320];

class Page {
  constructor() {
    this.data = JSON.parse(document.getElementById('data').textContent);
    // A formula may speak of several runs.
    this.traces = [this.data.answer.trace, ...(this.data.answer.further_traces || [])].filter((trace) => trace).map(unpacked);
    this.run = 0;
    this.trace = this.traces[0];
    this.lines = this.data.source ? this.data.source.text.split('\n') : [];
    this.colours = new Colours(this.data.name, this.lines);
    this.at = 0;
    this.round = 1;
    this.folded = new Set();
    this.filter = '';
    const plain = document.getElementById('plain');
    // Of formulas without a program there are words.
    this.isPlain = !this.trace && !this.data.source && this.data.status !== 2;
    this.header();
    this.main = document.getElementById('main');
    this.views = [];
    this.view('main', this.isPlain ? 'Answers' : !this.trace ? 'Program' : this.traces.length > 1 ? 'Run 1' : 'Run', this.main);
    if (this.trace) {
      for (let n = 1; n < this.traces.length; n++) this.views.push({ id: `run-${n + 1}`, title: `Run ${n + 1}`, box: this.main, run: n });
      this.views[0].run = 0;
      this.prepare();
      this.build();
    } else {
      this.still();
    }
    this.pictures();
    this.looked = this.run;
    this.help();
    this.tabs();
    if (this.isPlain) this.main.append(plain);
    else plain.remove();
  }

  /** The keys that there are something to do for. */
  help() {
    const { length } = this.views;
    const views = length > 1 ? [length > 2 ? `1 … ${length} views` : '1 2 views'] : [];
    const calls = this.trace && this.ends.length ? ['shift over calls', 'o out', 'f fold'] : [];
    const threads = this.trace && this.threads.size > 1 ? ['n next thread'] : [];
    const run = this.trace ? ['↑ ↓ step', ...calls, ...threads, 'c next change', '/ find', 'Home End'] : [];
    const here = this.walks() ? run : this.views[this.looked].keys || [];
    document.getElementById('keys').textContent = [...here, ...views].join(' · ');
  }

  /** Whether the view is one of a step, so that keys walk. */
  walks() {
    const view = this.views[this.looked];
    return Boolean(this.trace) && (view.box === this.main || Boolean(view.follows));
  }

  /** Something to look at, behind a tab; what it shows is made when it is first looked at. */
  view(id, title, box, make) {
    this.views.push({ id, title, box, make });
  }

  pictures() {
    const { states, calls } = this.data.pictures || {};
    const section = (id, title, make, keys) => {
      const box = el('section', 'view');
      box.id = id;
      box.hidden = true;
      box.setAttribute('aria-label', title);
      this.main.after(box);
      this.view(id, title, box, make);
      this.views[this.views.length - 1].keys = keys;
    };
    const derivations = [this.data.reasons, ...(this.data.answer.answers || []).map((a) => a.derivation)].filter((d) => Array.isArray(d) && d.length);
    if (derivations.length) section('derivation', 'Derivation', (box) => derivations.forEach((d) => derivationTree(box, d)), ['Tab to a tuple', 'Enter unfolds it']);
    if (this.trace && this.threads.size > 1) section('lanes', 'Threads', (box) => this.lanes(box), ['Tab to a part of the run', 'Enter shows it']);
    if (states && states.nodes.length) {
      const n = states.nodes.length;
      const count = states.cut ? `the first ${n} states; there are more` : `${n} state${n === 1 ? '' : 's'}, ${states.edges.length} step${states.edges.length === 1 ? '' : 's'}`;
      section('states', 'States', (box) => new Graph(box, states, { id: 'states', label: 'States and steps', count, start: 'a run starts here', out: 'steps from here', into: 'steps to here' }), GRAPH_KEYS);
    }
    if (this.traces.some(hasMemory)) {
      section('memory', 'Memory', (box) => memoryGraph(box, this.replay.at(Math.min(this.at, this.trace.steps.length)), this.trace.threads));
      this.views[this.views.length - 1].follows = true;
    }
    if (calls) {
      section('calls', 'Calls', (box) => new Graph(box, calls, { id: 'calls', label: 'Who calls whom', count: `${calls.nodes.length} functions`, start: 'a run starts here', out: 'calls', into: 'is called by' }), GRAPH_KEYS);
    }
    if (this.data.stats) section('figures', 'Figures', (box) => bars(box, this.data.answer.stats, this.data.stats));
  }

  /** The run over time, a lane for each thread. */
  lanes(box) {
    const names = new Map();
    for (const of of [...this.trace.steps, ...this.trace.threads]) names.set(keyOf(of), of);
    const go = (row) => {
      this.look(this.run);
      this.go(row);
    };
    lanes(box, this.trace, { threads: this.threads, label: (key) => this.label(names.get(key)), hue: (n) => `hsl(${HUES[n % HUES.length]} 60% 55%)`, ending: this.ending(), last: this.last, go });
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
    this.look(asked >= 0 ? asked : drawn >= 0 ? drawn : this.run, true);
  }

  look(n, isFirst) {
    const view = this.views[n];
    this.views.forEach((other, k) => {
      other.box.hidden = other.box !== view.box;
      if (other.tab) other.tab.setAttribute('aria-selected', String(k === n));
    });
    this.looked = n;
    if (this.strip) this.strip.hidden = !this.walks();
    this.help();
    if (view.run !== undefined && view.run !== this.run) this.change(view.run);
    if (view.make && (!view.made || view.follows)) {
      view.made = true;
      view.box.replaceChildren();
      view.make(view.box);
    }
    if (view.box === this.main) {
      for (const list of [this.sources, this.rows]) if (list) list.refresh();
      if (this.strip) this.drawStrip();
      if (!isFirst && this.trace) this.address(this.at);
    } else if (!isFirst) addressed(view.id);
  }

  /** Shows another run of the answer. */
  change(run) {
    this.run = run;
    this.trace = this.traces[run];
    this.round = 1;
    this.folded.clear();
    for (const view of this.views) view.made = false;
    this.prepare();
    this.at = this.last;
    this.rows.size(this.shown.length);
    this.glance = null;
    this.go(this.last);
  }

  header() {
    const head = document.getElementById('head');
    const kind = { 0: 'good', 5: 'open' }[this.data.status] || 'bad';
    const title = el('h1', kind);
    const headline = this.isPlain ? this.data.answer.verdict : this.data.headline;
    const [, verdict, reason] = /^([A-Z]+)(: .*)$/s.exec(headline) || [null, headline, ''];
    title.append(verdict, el('span', 'reason', reason));
    head.append(title);
    head.append(el('span', 'file', this.data.name));
    this.where = el('span', 'where', '');
    this.where.setAttribute('aria-live', 'polite');
    head.append(this.where, el('span', 'tool', this.data.answer.tool));
    const about = document.getElementById('about');
    const isDrawn = this.data.pictures && this.data.pictures.first;
    // A derivation has a view of its own.
    const isSaid = (line) => (this.data.reasons.length ? line === 'because' : this.data.invariants.length > 0 && line.startsWith('proved by what holds'));
    const because = this.data.details.findIndex(isSaid);
    const details = isDrawn || this.isPlain ? [] : because < 0 ? this.data.details : this.data.details.slice(0, because);
    for (const line of details) about.append(el('p', '', line));
    for (const why of this.data.why) about.append(el('p', 'why', why));
    // An excerpt has a mark below a place.
    for (const note of this.data.notes) about.append(el('p', note.includes('\n') ? 'note excerpt' : 'note', note));
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
    // What holds stands in one column, as far as lines are short.
    const noted = [...holds.keys()].map((line) => (this.lines[line - 1] || '').length).filter((length) => length <= WIDEST_NOTED);
    source.style.setProperty('--noted', `${Math.max(0, ...noted)}ch`);
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
    this.sources.drawn = (rows, first) => this.colours.draw(rows, first);
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
    // Of what is not told nobody knows how often it passes a line.
    this.more = trace.cut || trace.steps.some((step) => step.kind === 'omitted' || step.kind === 'repeat') ? '+' : '';
    this.deepest = 1;
    for (const step of trace.steps) {
      if (step.line) this.visits.set(step.line, (this.visits.get(step.line) || 0) + 1);
      this.deepest = Math.max(this.deepest, step.depth + 1);
    }
    this.ends = callEnds(trace.steps);
    const cycle = trace.cycle;
    const index = (number) => trace.steps.findIndex((s) => s.step === number || s.first === number) + 1;
    this.cycle = cycle ? { first: index(cycle.first), last: trace.steps.length } : null;
    this.last = lastRow(trace);
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
    this.sources.drawn = (rows, first) => this.colours.draw(rows, first);
    this.rows = new Virtual(steps, (n) => this.stepRow(this.shown[n]));
    steps.tabIndex = 0;
    steps.setAttribute('role', 'listbox');
    steps.setAttribute('aria-activedescendant', 'selected');
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
    // The address may have become our own again since.
    window.addEventListener('hashchange', (event) => this.fromAddress(new URL(event.newURL).hash));
    this.sources.size(this.lines.length);
    this.rows.size(this.shown.length);
    this.drawStrip();
    if (!this.fromAddress()) this.go(this.last, true);
    steps.focus({ preventScroll: true });
  }

  /** `#13` is a row; `#2:13` one of the second run. */
  fromAddress(hash = window.location.hash) {
    const [, run, row] = /^#(?:([0-9]+):)?([0-9]+)$/.exec(hash) || [];
    if (row === undefined) return false;
    const wanted = Number(run || 1) - 1;
    if (wanted >= this.traces.length) return false;
    // The views are there once the page is.
    if (wanted !== this.run || (this.looked !== undefined && !this.walks())) this.look(wanted, true);
    this.go(Math.min(Number(row), this.last));
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
    row.append(el('span', 'number', String(i + 1)), el('span', 'visits', n > 1 || (n && this.more) ? `${n}${this.more}×` : n ? '·' : ''), el('code', '', this.lines[i]));
    row.addEventListener('click', () => this.goToLine(i + 1));
    return row;
  }

  lineAt(row) {
    if (row === 0) return this.trace.steps.length ? this.trace.steps[0].line : null;
    if (row > this.trace.steps.length && this.trace.goal) return this.trace.goal.line;
    if (row > this.trace.steps.length && (this.trace.labels_at_end || []).length) return placeAtEnd(this.trace);
    if (row > this.trace.steps.length) return this.trace.monitor ? this.lineAt(row - 1) : null;
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
      line.append(el('span', 'number', ''), this.noRail(), el('code', 'what statement', `${this.gutter()}(initially)`), el('span', 'effect', values));
      return line;
    }
    if (!step) {
      line.append(el('span', 'number', ''), this.noRail(), el('code', 'what statement goal', this.gutter() + this.goal()), el('span', 'effect', ''));
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
      // What is done stands in one column, whoever does it.
      rail.style.marginRight = `${(Math.min(this.threads.size - 1, 8) - Math.min(number, 8)) * 8}px`;
    }
    const indent = Math.max(0, step.depth - this.base()) * 2;
    const fold = this.ends[row] ? (this.folded.has(row) ? '▸ ' : '▾ ') : this.gutter();
    const text = step.statement || { repeat: `as steps ${step.first}–${step.last}`, omitted: `steps ${step.first}–${step.last} are left out` }[step.kind] || '';
    const statement = el('code', switches ? 'statement' : 'what statement', ' '.repeat(indent) + fold + text);
    line.append(el('span', 'number', String(step.step)), rail);
    line.append(switches ? this.switched(step, statement) : statement, el('span', 'effect', effect(step)));
    const seen = this.seenBy(row);
    if (seen) line.append(el('span', 'labels', seen));
    if (step.labels) line.append(el('span', 'labels', step.labels.join(' ')));
    return line;
  }

  /** Room for what folds, if calls are there. */
  gutter() {
    return this.ends.length ? '  ' : '';
  }

  /** What is done, in its column, by somebody else than before. */
  switched(step, statement) {
    const what = el('span', 'what');
    what.append(el('span', 'thread', this.label(step)), statement);
    return what;
  }

  /** The room of rails, for rows of no thread. */
  noRail() {
    const rail = el('span', 'rail');
    if (this.threads.size > 1) rail.style.marginRight = `${Math.min(this.threads.size - 1, 8) * 8}px`;
    return rail;
  }

  /** How the run ends, in words; nothing if its last step says it. */
  ending() {
    if (this.cycle) return `⟲ and so on for ever, from step ${this.trace.cycle.first}`;
    return this.last > this.trace.steps.length ? this.goal() : '';
  }

  goal() {
    const { goal, deadlock, monitor } = this.trace;
    if (deadlock) return 'deadlock: nobody can go on';
    if (!goal && (this.trace.labels_at_end || []).length) return `${this.trace.labels_at_end.join(', ')} is reached`;
    if (!goal) return `${monitor.name} reaches ${monitor.target}`;
    const { fault } = this.data.answer.integers || {};
    if (fault && ['memory', 'undefined'].includes(goal.kind)) return fault.reason;
    return { assert: 'the assertion fails', overflow: 'the result overflows', memory: 'memory is misused', undefined: 'what happens here is undefined', call: `${goal.labels.join(', ') || 'the error'} is called` }[goal.kind] || `${goal.labels.join(', ') || 'the target'} is reached`;
  }

  /** What the monitor makes of a step, if that is something new. */
  seenBy(row) {
    const { monitor, steps } = this.trace;
    const now = steps[row - 1].monitor;
    if (!monitor || now === undefined) return '';
    const before = row > 1 ? steps[row - 2].monitor : monitor.start;
    return now === before ? '' : `${monitor.name}: ${this.words(now)}`;
  }

  /** A state of the monitor, with its words. */
  words(state) {
    const found = (this.trace.monitor.words || []).find((w) => w.state === state);
    return found && found.words !== state ? `${state}: ${found.words}` : String(state);
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
    else this.sources.redraw();
    this.drawState();
    this.drawStrip(true);
    const looked = this.views[this.looked];
    if (looked && looked.follows) {
      looked.box.replaceChildren();
      looked.make(looked.box);
    }
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
    this.addressing = setTimeout(() => addressed(this.run ? `${this.run + 1}:${row}` : row), 120);
  }

  drawState() {
    const n = this.trace.steps.length;
    const now = this.replay.at(Math.min(this.at, n));
    const before = this.at > 0 ? this.replay.at(Math.min(this.at, n + 1) - 1) : now;
    const out = [];
    if (this.trace.monitor) {
      out.push(el('h2', '', this.trace.monitor.name));
      out.push(this.value('state', this.words(now.monitor), before.monitor === now.monitor ? undefined : before.monitor));
    }
    if (now.shared.size) {
      out.push(el('h2', '', this.threads.size > 1 ? 'shared' : 'globals'));
      out.push(...this.valuesOf(now.shared, before.shared, now.links));
    }
    for (const thread of this.trace.threads) {
      const key = keyOf(thread);
      const [own, old] = [now.threads.get(key), before.threads.get(key)];
      if (!own) continue;
      out.push(el('h2', '', this.threads.size > 1 ? this.label(thread) + (own.ended ? ': has ended' : '') : 'calls, innermost first'));
      out.push(...this.valuesOf(own.private, old.private));
      // Behind the last step everybody stands where the run says that it ends.
      out.push(...this.stackOf(own.stack, old.stack, this.at > n ? thread.stack : []));
      if (this.at > n || this.cycle) out.push(...this.fate(thread));
    }
    const idle = this.trace.not_started.filter((name) => !this.trace.threads.some((thread) => this.label(thread) === name));
    if (idle.length) out.push(el('p', 'note', `never started: ${idle.join(', ')}`));
    if (now.objects.size) out.push(this.memory(now, before));
    this.values.replaceChildren(...out);
  }

  /** The objects in memory; if there are many, those that changed last. */
  memory(now, before) {
    const box = el('div', 'memory');
    box.append(el('h2', '', 'memory'));
    const isNamed = (object) => !this.filter || object.name.toLowerCase().includes(this.filter) || [...object.cells.keys()].some((cell) => cell.toLowerCase().includes(this.filter));
    const isShown = (object) => object.kind !== 'constant' && (object.alive || object.kind === 'heap' || before.objects.get(object.number) !== object) && isNamed(object);
    const all = [...now.objects.values()].filter(isShown);
    const last = all.sort((a, b) => b.when - a.when || a.number - b.number).slice(0, MOST_OBJECTS);
    for (const object of last.sort((a, b) => a.number - b.number)) box.append(...this.object(object, before.objects.get(object.number)));
    if (all.length > last.length) box.append(el('div', 'more', `… ${all.length - last.length} more, which changed before`));
    return box;
  }

  /** An object: one cell as a variable, an array side by side, anything else a line for each cell. */
  object(object, old) {
    const was = (cell) => {
      if (!old || old === object) return undefined;
      const [before, after] = [old.cells.get(cell), object.cells.get(cell)];
      return before === after ? undefined : before === undefined ? '?' : before;
    };
    const about = [object.fn ? `in ${object.fn}` : object.kind === 'variable' ? '' : object.kind, object.alive ? '' : object.kind === 'heap' ? 'freed' : 'no longer there'].filter((t) => t).join(', ');
    const cells = [...object.cells];
    const tell = (row) => {
      row.dataset.object = object.number;
      return row;
    };
    if (object.alive && cells.length === 1 && cells[0][0] === '' && object.count === 1) return [tell(this.cell(object, object.name, cells[0], was('')))];
    const title = tell(el('div', object.alive ? 'frame' : 'frame gone', object.name));
    if (about) title.append(el('span', 'note', `  ${about}`));
    const changed = Math.max(0, cells.findIndex(([cell]) => was(cell) !== undefined) - MOST_CELLS / 2);
    const first = Math.max(0, Math.min(changed, cells.length - MOST_CELLS));
    const window = cells.slice(first, first + MOST_CELLS);
    const isArray = window.length > 1 && window.every(([cell]) => /^(\[\d+\])+$/.test(cell));
    const box = el('div', isArray ? 'array' : 'struct');
    for (const entry of window) box.append(tell(this.cell(object, entry[0].replace(/^\./, ''), entry, was(entry[0]))));
    const out = [title, box];
    if (object.alive && object.count > window.length) out.push(el('div', 'more', `… ${object.count - window.length} more cells`));
    return out;
  }

  cell(object, name, [cell, value], old) {
    const row = this.value(name, value, old);
    row.classList.add('cell');
    const to = object.links.get(cell);
    if (to !== undefined) this.leads(row.lastChild, to);
    return row;
  }

  /** A pointer leads to its object. */
  leads(node, to) {
    node.classList.add('leads');
    node.title = 'to its object';
    node.tabIndex = 0;
    node.setAttribute('role', 'link');
    const go = () => {
      const found = this.values.querySelector(`.frame[data-object="${Number(to)}"], .cell[data-object="${Number(to)}"]`);
      if (found) found.scrollIntoView({ block: 'nearest' });
    };
    node.addEventListener('click', go);
    node.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(); });
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

  valuesOf(now, before, links) {
    const out = [];
    for (const [name, value] of now) {
      if (this.filter && !name.toLowerCase().includes(this.filter)) continue;
      const old = before.get(name);
      const row = this.value(name, value, old === value ? undefined : old === undefined ? '?' : old);
      if (links && links.has(name)) this.leads(row.lastChild, links.get(name));
      out.push(row);
    }
    return out;
  }

  value(name, value, old) {
    const row = el('div', old === undefined ? 'value' : 'value changed');
    row.append(el('span', 'name', name), el('span', '', old === undefined ? String(value) : `${old} → ${value}`));
    return row;
  }

  stackOf(stack, old, told) {
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
      const line = (told[i] && told[i].line) || frame.line;
      if (line) title.append(el('span', 'note', `  line ${line}`));
      out.push(title);
      out.push(...this.valuesOf(frame.locals, same, frame.links));
    }
    return out;
  }

  /** The run at a glance, which stays as it is, and where we are in it. */
  drawStrip(isSized) {
    const canvas = this.strip;
    if (!isSized || !this.glance) this.drawGlance();
    const pen = canvas.getContext('2d');
    if (!pen) return;
    const ratio = canvas.width / this.wide;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(this.glance, 0, 0);
    pen.fillStyle = 'rgb(220 40 40)';
    pen.fillRect(Math.min(this.wide - 2, (this.at / Math.max(1, this.last)) * this.wide) * ratio, 0, 2 * ratio, canvas.height);
  }

  drawGlance() {
    const canvas = this.strip;
    const width = Math.max(100, canvas.clientWidth || 800);
    const lanes = Math.min(8, this.threads.size);
    const height = lanes * 14 + 4;
    const ratio = window.devicePixelRatio || 1;
    this.wide = width;
    this.glance = el('canvas');
    for (const of of [canvas, this.glance]) {
      of.width = width * ratio;
      of.height = height * ratio;
    }
    canvas.style.height = `${height}px`;
    const pen = this.glance.getContext('2d');
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
      if (event.ctrlKey || event.metaKey || event.altKey || !act[event.key] || !this.walks()) return;
      event.preventDefault();
      act[event.key](event);
    });
  }
}

