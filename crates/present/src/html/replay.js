// The run of an answer: steps from their packed form, and states from steps. It needs no document, so that tests run it alone.
//
// Contract: the state after n steps is the same however it is come to. Check points share the frames that did not change, so that long and deep runs are
// rebuilt from the one before as fast as short ones.
'use strict';

/** The steps of a run: each is an entry of a table, with its number, depth and context; an entry is what it has in common with others, its line and names. */
function unpacked(trace) {
  if (!trace || !trace.packed) return trace;
  const { bases, names, entries, rows, depths, numbers, contexts } = trace.packed;
  const table = entries.map(([base, line, fn, statement, other]) => {
    const { link, ...step } = bases[base];
    if (line >= 0) step.line = line;
    if (fn >= 0) step.function = names[fn];
    if (statement >= 0) step.statement = names[statement];
    if (link) step[link] = names[other];
    step.key = keyOf(step);
    return step;
  });
  // A step has what its entry has, without a copy of it.
  class Step {
    constructor(of, step, depth, context) {
      this.of = of;
      this.step = step;
      this.depth = depth;
      this.context = context;
    }
  }
  for (const key of new Set([...table.flatMap(Object.keys), 'line', 'function', 'statement', 'callee', 'caller', 'label'])) {
    Object.defineProperty(Step.prototype, key, { get() { return this.of[key]; } });
  }
  const steps = new Array(rows.length);
  let number = 0;
  let context = 0;
  let [atNumber, atContext] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    number += 1;
    if (numbers[atNumber] === i) {
      number = numbers[atNumber + 1];
      atNumber += 2;
    }
    if (contexts[atContext] === i) {
      context = contexts[atContext + 1];
      atContext += 2;
    }
    steps[i] = new Step(table[rows[i]], number, depths[i], context);
  }
  return { ...trace, packed: undefined, steps };
}

class Replay {
  constructor(trace) {
    this.trace = trace;
    this.steps = trace.steps;
    this.every = Math.max(512, Math.ceil(this.steps.length / 256));
    this.points = [start(trace)];
    this.last = { n: 0, state: this.points[0] };
  }

  /** The state after so many rows of steps. It is not to be changed. */
  at(n) {
    if (this.last.n === n) return this.last.state;
    // Steps are left out: what is behind them is the end.
    if (this.trace.cut && n === this.steps.length) return ending(this.trace);
    const point = Math.min(Math.floor(n / this.every), this.points.length - 1);
    const isNear = this.last.n < n && this.last.n >= point * this.every;
    const from = isNear ? this.last : { n: point * this.every, state: this.points[point] };
    const state = copied(from.state);
    for (let i = from.n; i < n; i++) {
      apply(state, this.steps[i]);
      if ((i + 1) % this.every === 0 && (i + 1) / this.every === this.points.length) this.points.push(copied(state));
    }
    this.last = { n, state };
    return state;
  }
}

/** Values by names; of several variables of one name, by where they are declared, too. */
function mapOf(assignments) {
  return new Map((assignments || []).map((a) => [nameOf(a), a.value]));
}

function nameOf({ name, declared }) {
  return declared === undefined ? name : `${name} (line ${declared})`;
}

/** The objects that pointers among variables point to, by the names of the variables. */
function linksOf(assignments) {
  return new Map((assignments || []).filter((a) => a.to !== undefined).map((a) => [nameOf(a), a.to]));
}

function keyOf(of) {
  return of.key || `${of.thread}[${of.copy}]`;
}

function start(trace) {
  const state = { shared: mapOf(trace.globals), links: linksOf(trace.globals), threads: new Map(), objects: new Map(), monitor: trace.monitor ? trace.monitor.start : null };
  for (const object of trace.objects || []) become(state, object, 0);
  for (const thread of trace.threads) {
    const frame = { fn: null, line: null, locals: mapOf(thread.locals), links: linksOf(thread.locals) };
    state.threads.set(keyOf(thread), { private: mapOf(thread.private), stack: [frame], ended: false });
  }
  return state;
}

/** The state at the end, as the run says it. */
function ending(trace) {
  const state = { shared: mapOf(trace.globals_at_end), links: linksOf(trace.globals_at_end), threads: new Map(), objects: new Map(), monitor: null };
  for (const thread of trace.threads) {
    const stack = thread.stack.map(frameOf);
    state.threads.set(keyOf(thread), { private: mapOf(thread.private), stack, ended: !stack.length });
  }
  return state;
}

function frameOf(frame) {
  return { fn: frame.function, line: frame.line, locals: mapOf(frame.locals), links: linksOf(frame.locals) };
}

/** Another one, which has the frames in common until one of them is written. */
function copied(state) {
  const threads = new Map();
  for (const [key, thread] of state.threads) threads.set(key, { private: thread.private, stack: thread.stack.slice(), ended: thread.ended });
  return { shared: new Map(state.shared), links: new Map(state.links), threads, objects: new Map(state.objects), monitor: state.monitor };
}

/** What a step does to a state. */
function apply(state, step) {
  const thread = state.threads.get(keyOf(step));
  if (!thread) return;
  const { stack } = thread;
  if (step.kind !== 'repeat' && step.kind !== 'omitted' && stack.length) {
    stack[stack.length - 1] = { ...stack[stack.length - 1], fn: step.function, line: step.line };
  }
  if (step.kind === 'call') {
    const given = [...(step.arguments || []), ...(step.locals || [])];
    stack.push({ fn: step.callee, line: null, locals: mapOf(given), links: linksOf(given) });
  }
  if (step.caller !== undefined && stack.length > 1) stack.pop();
  if (step.kind === 'end') {
    thread.stack = [];
    thread.ended = true;
  }
  // Behind steps that are left out, or a call that is not told again.
  if (step.stack) thread.stack = step.stack.map(frameOf);
  for (const change of step.globals || []) assign(state, thread, change);
  for (const change of step.changes || []) assign(state, thread, change);
  for (const object of step.memory || []) become(state, object, step.step);
  if (step.monitor !== undefined) state.monitor = step.monitor;
}

function assign(state, thread, change) {
  // Cells of memory are told by themselves; an input is no variable.
  if (change.holder) return;
  const { stack } = thread;
  const [name, value] = [nameOf(change), change.value];
  if (change.function !== null && change.function !== undefined) {
    const top = stack[stack.length - 1];
    if (top) stack[stack.length - 1] = { ...top, locals: new Map(top.locals).set(name, value), links: linked(top.links, name, change.to) };
  } else if (thread.private.has(name)) {
    thread.private = new Map(thread.private).set(name, value);
  } else {
    state.shared.set(name, value);
    state.links = linked(state.links, name, change.to);
  }
}

function linked(links, name, to) {
  if (to === undefined && !links.has(name)) return links;
  const next = new Map(links);
  if (to === undefined) next.delete(name);
  else next.set(name, to);
  return next;
}

/** What becomes of an object: all of it, or some cells. */
function become(state, { object, name, alive, kind, function: fn, n_cells: count, whole, cells }, when) {
  const old = state.objects.get(object);
  const base = whole || !old ? { cells: new Map(), links: new Map() } : old;
  const next = { number: object, name, alive, when, kind: kind || (old && old.kind), fn: fn === undefined ? old && old.fn : fn, count: count === undefined ? old && old.count : count, cells: new Map(base.cells), links: new Map(base.links) };
  for (const { cell, value, to } of cells) {
    next.cells.set(cell, value);
    if (to === undefined) next.links.delete(cell);
    else next.links.set(cell, to);
  }
  state.objects.set(object, next);
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
    case 'repeat': case 'omitted': {
      const changes = list([...(step.globals || []), ...(step.changes || [])]);
      return step.caller !== undefined ? `back in ${step.caller}${changes ? ': ' + changes : ''}` : changes;
    }
    default: return list(step.changes);
  }
}


/** The last row: what is reached, if it has a row of its own. */
function lastRow({ steps, goal, deadlock, monitor, cycle, labels_at_end: labels }) {
  const isSeen = monitor && monitor.target !== null && !cycle;
  const isLabelled = !cycle && (labels || []).length > 0;
  return steps.length + (goal || deadlock || isSeen || isLabelled ? 1 : 0);
}

/** The line where whoever took the last step is then. */
function placeAtEnd({ steps, threads }) {
  const last = steps[steps.length - 1];
  const thread = threads.find((of) => !last || keyOf(of) === keyOf(last));
  const top = thread && thread.stack[thread.stack.length - 1];
  return (top && top.line) || null;
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

if (typeof module !== 'undefined') module.exports = { Replay, effect, keyOf, lastRow, placeAtEnd, unpacked };
