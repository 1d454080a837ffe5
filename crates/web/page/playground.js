// A program, a question, the answer: all in this page.
//
// Contract: whatever is written here stays here. A question goes to a worker, which can be stopped at any time by ending it; the answer is the page that `--html` writes,
// in a frame that can do nothing but show it. A program that is shared stands in the address behind `#`, which no server sees.
'use strict';

const LIMITS = { seconds: 20, megabytes: 500 };
const byId = (id) => document.getElementById(id);

function make(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
}

// ---- The editor: a field of text above its own picture, in which words have colours and mistakes are underlined. ----

const KEYWORDS = {
  bp: /^(begin|end|if|then|else|elsif|fi|while|do|od|decl|void|bool|int|enum|skip|goto|return|assert|assume|constrain|init|enforce|thread|atomic|start|print|schoose|T|F)$/,
  c: /^(int|unsigned|long|short|char|void|if|else|while|for|do|return|break|continue|goto|switch|case|default|const|static|struct|extern|sizeof|_Bool)$/,
  mu: /^(mu|nu|forall|exists|bool|enum|type|query|true|false|const|param)$/,
};
const PARTS = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[a-z]+|[A-Za-z_$][\w$]*|\d+|[^\sA-Za-z_$\d]|\s+/g;

class Editor {
  constructor(box, changed) {
    this.picture = make('pre');
    this.picture.setAttribute('aria-hidden', 'true');
    this.numbers = make('pre', 'numbers');
    this.numbers.setAttribute('aria-hidden', 'true');
    this.field = make('textarea');
    this.field.spellcheck = false;
    this.field.setAttribute('aria-label', 'Program');
    this.field.setAttribute('autocapitalize', 'off');
    this.field.wrap = 'off';
    this.marks = [];
    this.language = 'bp';
    const paper = make('div', 'paper');
    paper.append(this.picture, this.field);
    box.append(this.numbers, paper);
    this.field.addEventListener('input', () => {
      this.marks = [];
      this.draw();
      changed();
    });
    this.field.addEventListener('scroll', () => this.follow());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.leaves = true;
      else if (event.key !== 'Tab') this.leaves = false;
      if (event.key !== 'Tab' || event.shiftKey || this.leaves) return;
      event.preventDefault();
      this.field.setRangeText('  ', this.field.selectionStart, this.field.selectionEnd, 'end');
      this.field.dispatchEvent(new Event('input'));
    });
  }

  set(text, language) {
    this.language = language;
    this.marks = [];
    this.field.value = text;
    this.draw();
    this.field.scrollTop = 0;
    this.follow();
  }

  get() {
    return this.field.value;
  }

  /** Underlines what mistakes are about: the word at each place. */
  mark(places) {
    this.marks = places;
    this.draw();
  }

  follow() {
    this.picture.style.transform = `translate(${-this.field.scrollLeft}px, ${-this.field.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.field.scrollTop}px)`;
  }

  go({ line, column }) {
    const lines = this.get().split('\n');
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + [...(lines[line - 1] || '')].slice(0, column - 1).join('').length;
    this.field.focus();
    this.field.setSelectionRange(at, at);
    this.field.scrollTop = Math.max(0, (line - 6) * 20);
  }

  draw() {
    const text = this.get();
    const lines = text.split('\n');
    this.numbers.textContent = lines.map((_, n) => n + 1).join('\n');
    // A picture of a very long text would make every key slow.
    if (text.length > 200000) {
      this.picture.textContent = text;
      return;
    }
    const marks = new Map(this.marks.map((mark) => [this.offset(lines, mark), mark]));
    const keywords = KEYWORDS[this.language] || KEYWORDS.bp;
    const out = [];
    for (const { 0: part, index } of text.matchAll(PARTS)) {
      const kind = /^\/[/*]/.test(part) ? 'comment' : /^\d/.test(part) ? 'constant' : keywords.test(part) || part[0] === '#' && part.length > 1 ? 'keyword' : '';
      const mark = marks.get(index);
      if (!kind && !mark) out.push(part);
      else {
        const node = make('span', mark ? `${kind} mistake` : kind, part);
        out.push(node);
      }
    }
    this.picture.replaceChildren(...out, '\n');
  }

  offset(lines, { line, column }) {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    return before + [...(lines[line - 1] || '')].slice(0, column - 1).join('').length;
  }
}

// ---- The worker: ended and begun anew to stop it. ----

class Asker {
  constructor() {
    this.number = 0;
    this.modules = new Map();
  }

  /** The module for a question. The one for C is loaded when it is first needed. */
  module(name) {
    if (!this.modules.has(name)) this.modules.set(name, this.compiled(name));
    return this.modules.get(name);
  }

  async compiled(name) {
    const inside = byId(name);
    const file = `${name}.wasm`;
    if (!inside) return WebAssembly.compileStreaming ? WebAssembly.compileStreaming(fetch(file)).catch(() => this.plain(file)) : this.plain(file);
    const letters = atob(inside.textContent.trim());
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    inside.remove();
    return WebAssembly.compile(bytes);
  }

  async plain(file) {
    return WebAssembly.compile(await (await fetch(file)).arrayBuffer());
  }

  worker() {
    const text = byId('worker');
    const worker = new Worker(text ? URL.createObjectURL(new Blob([text.textContent], { type: 'text/javascript' })) : 'worker.js');
    worker.onmessage = ({ data }) => {
      if (data.number === this.number && this.settle) this.settle(data.reply);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.settle) this.settle({ ended: { kind: 'bug', reason: `the worker has ended: ${event.message || 'nobody knows why'}` }, milliseconds: 0 });
    };
    return worker;
  }

  async ask(question, seconds) {
    this.stop('another question');
    const number = ++this.number;
    const module = await this.module(language(question.file) === 'c' ? 'getafix-c' : 'getafix');
    if (number !== this.number) return { ended: { kind: 'stopped', reason: 'another question' }, milliseconds: 0 };
    this.at = this.at || this.worker();
    const begin = performance.now();
    return new Promise((yes) => {
      this.settle = (reply) => {
        clearTimeout(this.clock);
        this.settle = null;
        // An instance that has failed may have taken the worker with it.
        if (reply.ended) this.end();
        yes({ ...reply, waited: performance.now() - begin });
      };
      this.clock = setTimeout(() => this.stop(`timeout after ${seconds} s`, 'time'), seconds * 1000);
      this.at.postMessage({ number, module, question });
    });
  }

  stop(reason, kind = 'stopped') {
    if (this.settle) this.settle({ ended: { kind, reason }, milliseconds: 0 });
  }

  end() {
    if (this.at) this.at.terminate();
    this.at = this.worker();
  }
}

// ---- The address: a program and its question behind `#`. ----

const letters = {
  to: (bytes) => {
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  },
  from: (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)),
};

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function toAddress(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (typeof CompressionStream === 'undefined') return `j${letters.to(bytes)}`;
  return `z${letters.to(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

async function fromAddress(text) {
  if (!/^[jz][\w-]*$/.test(text)) return null;
  try {
    const bytes = letters.from(text.slice(1));
    const state = JSON.parse(new TextDecoder().decode(text[0] === 'z' ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes));
    return typeof state.name === 'string' && typeof state.text === 'string' ? state : null;
  } catch (_) {
    return null;
  }
}

// ---- The page. ----

const QUESTIONS = [
  ['error', 'Can an error be reached?', ''],
  ['target', 'Can a label be reached?', 'a label, or f:label'],
  ['nonterm', 'Can a run go on for ever?', ''],
  ['repeat', 'Can a run pass a label again and again?', 'a label'],
  ['ltl', 'Does every infinite run satisfy a formula?', 'G F at(L)'],
  ['monitor', 'Can a monitor come to a target state?', ''],
  ['fair', 'Can a monitor be in target states again and again?', ''],
  ['deadlock', 'Can threads come to a deadlock?', ''],
  ['states', 'Which states are there?', ''],
];

class Playground {
  constructor() {
    this.shipped = JSON.parse(byId('shipped').textContent);
    this.asker = new Asker();
    this.texts = { 'program.bp': '' };
    this.at = 'program.bp';
    this.main = 'program.bp';
    this.editor = new Editor(byId('editor'), () => { this.texts[this.at] = this.editor.get(); });
    this.fields();
    this.examples();
    byId('ask').addEventListener('click', () => this.ask());
    byId('stop').addEventListener('click', () => this.asker.stop('stopped'));
    byId('share').addEventListener('click', () => this.share());
    document.addEventListener('keydown', (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') this.ask();
    });
    window.addEventListener('hashchange', () => this.begin());
    this.begin(true);
  }

  async begin(isFirst) {
    const state = await fromAddress(window.location.hash.slice(1));
    if (state) this.open(state);
    else if (isFirst) this.example(this.shipped.examples[0]);
    if (state || isFirst) this.ask();
  }

  fields() {
    const box = byId('fields');
    const row = (into = box) => {
      const line = make('div', 'row');
      into.append(line);
      return line;
    };
    const labelled = (into, title, field) => {
      const label = make('label', '', title ? `${title} ` : '');
      label.append(field);
      into.append(label);
      return field;
    };
    const select = (into, id, title, entries) => {
      const field = make('select');
      field.id = id;
      field.setAttribute('aria-label', title || id);
      for (const [value, text] of entries) {
        const option = make('option', '', text);
        option.value = value;
        field.append(option);
      }
      field.addEventListener('change', () => this.shape());
      return labelled(into, title, field);
    };
    const input = (into, id, title, type, value) => {
      const field = make('input');
      field.id = id;
      field.type = type;
      field.setAttribute('aria-label', title || id);
      if (type === 'checkbox') field.checked = value;
      else field.value = value;
      if (type === 'number') field.min = 0;
      return labelled(into, title, field);
    };
    const first = row();
    select(first, 'asked', '', QUESTIONS);
    input(first, 'word', '', 'text', '');
    const second = row();
    second.id = 'threads';
    select(second, 'bound', 'Threads', [['', 'every schedule'], ['k', 'context switches'], ['rounds', 'rounds'], ['up-to', 'least switches up to']]);
    input(second, 'number', '', 'number', 3);
    select(second, 'scheduler', 'Fairness', [['', 'any'], ['weak', 'weak'], ['strong', 'strong']]);
    // Few questions need more than this.
    const more = make('details');
    more.id = 'more';
    more.append(make('summary', '', 'More: formula, engine, limits'));
    box.append(more);
    const third = row(more);
    select(third, 'algorithm', 'Formula', [['', 'the usual one'], ['own', 'my own'], ...this.shipped.algorithms.map((name) => [name, name])]);
    select(third, 'engine', 'Engine', [['', 'the usual one'], ['symbolic', 'symbolic'], ['explicit', 'explicit'], ['portfolio', 'portfolio']]);
    input(third, 'shortest', 'Shortest run', 'checkbox', false);
    const fourth = row(more);
    select(fourth, 'int', 'Integers of C', [['', 'as usual'], ['math', 'math'], ['checked', 'checked'], ['wrap', 'wrap']]);
    input(fourth, 'seconds', 'Seconds', 'number', LIMITS.seconds);
    input(fourth, 'megabytes', 'Megabytes', 'number', LIMITS.megabytes);
    input(fourth, 'stats', 'Figures', 'checkbox', false);
  }

  examples() {
    const field = byId('example');
    for (const { name } of this.shipped.examples) {
      const option = make('option', '', name);
      option.value = name;
      field.append(option);
    }
    field.addEventListener('change', () => {
      this.example(this.shipped.examples.find((example) => example.name === field.value));
      this.ask();
    });
  }

  example({ name, file, text, options, texts }) {
    this.open({ name: file, text, options: options || {}, texts: texts || {} });
    byId('example').value = name;
  }

  /** Shows a program with its options. */
  open({ name, text, options = {}, texts = {} }) {
    // Whoever brings a program of their own shows no example.
    byId('example').selectedIndex = -1;
    this.main = name;
    this.texts = { [name]: text };
    for (const [other, own] of Object.entries(texts)) if (typeof own === 'string') this.texts[other] = own;
    const asked = QUESTIONS.map(([key]) => key).find((key) => options[key] !== undefined && options[key] !== false);
    byId('asked').value = options.fair ? 'fair' : options.show === 'states' ? 'states' : asked || 'error';
    byId('word').value = [options.target, options.repeat, options.ltl].find((word) => typeof word === 'string') || '';
    const bound = ['k', 'rounds', 'up-to'].find((key) => options[key] !== undefined) || '';
    byId('bound').value = bound;
    if (bound) byId('number').value = options[bound];
    for (const id of ['scheduler', 'engine', 'int']) byId(id).value = options[id] || '';
    byId('algorithm').value = options.algorithm === 'own.mu' ? 'own' : options.algorithm || '';
    byId('shortest').checked = options.shortest === true;
    byId('more').open = ['algorithm', 'engine', 'int', 'shortest'].some((key) => options[key]);
    this.at = name;
    this.shape();
    this.editor.set(text, language(name));
  }

  /** The fields and files that the question has. */
  shape() {
    const asked = byId('asked').value;
    const [, , hint] = QUESTIONS.find(([key]) => key === asked);
    byId('word').hidden = !hint;
    byId('word').placeholder = hint;
    byId('number').parentNode.hidden = !byId('bound').value;
    const kind = language(this.main);
    byId('threads').hidden = kind !== 'bp';
    byId('asked').parentNode.hidden = kind === 'mu';
    byId('int').parentNode.hidden = kind !== 'c';
    for (const id of ['algorithm', 'engine']) byId(id).parentNode.hidden = kind !== 'bp';
    const wanted = [this.main];
    if (asked === 'monitor' || asked === 'fair') wanted.push('own.mon');
    if (byId('algorithm').value === 'own') wanted.push('own.mu');
    for (const name of wanted) if (this.texts[name] === undefined) this.texts[name] = this.shipped.begin[name] || '';
    const bar = byId('files');
    bar.replaceChildren(...wanted.map((name) => {
      const tab = make('button', 'tab', name);
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-selected', String(name === this.at));
      tab.addEventListener('click', () => this.show(name));
      return tab;
    }));
    const rename = make('input', 'name');
    rename.value = this.main;
    rename.setAttribute('aria-label', 'Name of the program: its ending says what it is written in');
    rename.title = 'its ending says what it is written in: .bp, .c, .mu';
    rename.addEventListener('change', () => this.rename(rename.value.trim() || this.main));
    bar.append(rename);
    if (!wanted.includes(this.at)) this.show(this.main);
  }

  show(name) {
    this.at = name;
    this.editor.set(this.texts[name], language(name));
    this.shape();
  }

  rename(name) {
    const text = this.texts[this.main];
    delete this.texts[this.main];
    this.texts[name] = text;
    this.at = this.at === this.main ? name : this.at;
    this.main = name;
    this.show(this.at);
  }

  options() {
    const options = {};
    if (this.main.endsWith('.mu')) return options;
    const asked = byId('asked').value;
    const word = byId('word').value.trim();
    if (asked === 'nonterm' || asked === 'deadlock') options[asked] = true;
    if (['target', 'repeat', 'ltl'].includes(asked) && word) options[asked] = word;
    if (asked === 'monitor' || asked === 'fair') options.monitor = 'own.mon';
    if (asked === 'fair') options.fair = true;
    if (asked === 'states') options.show = 'states';
    const bound = byId('bound').value;
    if (bound) options[bound] = Number(byId('number').value) || 0;
    for (const id of ['scheduler', 'engine', 'int']) if (byId(id).value) options[id] = byId(id).value;
    const algorithm = byId('algorithm').value;
    if (algorithm) options.algorithm = algorithm === 'own' ? 'own.mu' : algorithm;
    if (byId('shortest').checked) options.shortest = true;
    return options;
  }

  async share() {
    const { [this.main]: text, ...texts } = this.texts;
    window.history.replaceState(null, '', `#${await toAddress({ name: this.main, text, options: this.options(), texts })}`);
    this.say('The address has the program now: copy it.');
  }

  say(text, kind) {
    byId('message').hidden = false;
    byId('message').textContent = text;
    byId('message').className = kind || '';
  }

  async ask() {
    const seconds = Math.max(1, Number(byId('seconds').value) || LIMITS.seconds);
    const memory = Math.max(1, Number(byId('megabytes').value) || LIMITS.megabytes) * 1e6;
    const question = { file: this.main, texts: this.texts, options: this.options(), memory, stats: byId('stats').checked };
    byId('stop').disabled = false;
    this.say('Thinking…');
    this.asked = (this.asked || 0) + 1;
    const number = this.asked;
    let reply;
    try {
      reply = await this.asker.ask(question, seconds);
    } catch (error) {
      reply = { ended: { kind: 'bug', reason: `the module cannot be loaded: ${error.message || error}` }, milliseconds: 0 };
    }
    if (number !== this.asked) return;
    byId('stop').disabled = true;
    this.answer(reply);
  }

  answer(reply) {
    if (reply.ended) {
      this.say(`UNKNOWN: ${reply.ended.reason}`, 'open');
      byId('report').hidden = true;
      byId('report').srcdoc = '';
      this.mistakes([]);
      byId('told').textContent = '';
      this.last = reply;
      return;
    }
    const kind = { 0: 'good', 5: 'open' }[reply.status] || 'bad';
    const isShown = reply.html && reply.status !== 2;
    const mistakes = (reply.answer && reply.answer.diagnostics) || reply.diagnostics.map((message) => ({ message, place: null, severity: 'error' }));
    this.say(reply.status === 2 ? 'There are mistakes.' : reply.headline, kind);
    byId('message').hidden = isShown;
    byId('report').hidden = !isShown;
    byId('report').srcdoc = isShown ? reply.html : '';
    byId('told').textContent = `${Math.round(reply.milliseconds)} ms, ${Math.round(reply.bytes / 1e6)} MB`;
    this.mistakes(mistakes);
    this.last = reply;
  }

  mistakes(all) {
    const here = all.filter(({ place }) => place && place.file === this.at);
    this.editor.mark(here.map(({ place }) => place));
    byId('mistakes').replaceChildren(...all.slice(0, 20).map(({ severity, message, place }) => {
      const entry = make('li', severity);
      const button = make('button', 'link', place ? `${place.file}:${place.line}:${place.column}: ${message}` : message);
      button.addEventListener('click', () => {
        if (!place || this.texts[place.file] === undefined) return;
        if (this.at !== place.file) this.show(place.file);
        this.editor.go(place);
      });
      entry.append(button);
      return entry;
    }));
  }
}

function language(name) {
  return /\.[ci]$/.test(name) ? 'c' : name.endsWith('.mu') ? 'mu' : 'bp';
}

document.addEventListener('DOMContentLoaded', () => { window.playground = new Playground(); });
