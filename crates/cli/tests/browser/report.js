// Pages of answers in a real browser: what is shown at every step is what the JSON trace says, by keys, forwards, backwards and by jumps.
//
// node report.js BROWSER PLAN: the plan is a list of { page, answer, kind }; a page that is not as it should be ends in status 1 with the reason.
'use strict';

const fs = require('fs');
const { Browser } = require('./driver.js');
const { Replay, effect, keyOf, lastRow, placeAtEnd } = require(process.env.REPLAY);

function same(found, expected, what) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** What a page shows now. */
const SHOWN = `(() => {
  const text = (node) => node.textContent;
  const selected = document.getElementById('selected');
  const held = (v) => [text(v.children[0]), text(v.children[1]).split(' → ').pop()];
  const values = [...document.querySelectorAll('#state .value:not(.cell)')].map(held);
  return {
    cells: [...document.querySelectorAll('#state .memory .cell')].map((v) => [v.dataset.object, ...held(v)].join(' ')),
    statement: selected ? text(selected.querySelector('.statement')).replace(/^[\\s▸▾]+/, '') : null,
    effect: selected ? text(selected.querySelector('.effect')) : null,
    values,
    frames: [...document.querySelectorAll('#state .frame:not([data-object])')].map(text),
    line: [...document.querySelectorAll('#source .line.here .number')].map((n) => Number(text(n)))[0] ?? null,
    nodes: document.getElementsByTagName('*').length,
    where: text(document.querySelector('.where')),
  };
})()`;

/** What it should show after so many rows, from the JSON trace. */
function expected(trace, replay, row) {
  const n = trace.steps.length;
  const state = replay.at(Math.min(row, n));
  const values = [];
  if (trace.monitor) {
    const words = (trace.monitor.words || []).find((w) => w.state === state.monitor);
    values.push(['state', words && words.words !== state.monitor ? `${state.monitor}: ${words.words}` : state.monitor]);
  }
  const add = (map) => { for (const [name, value] of map) values.push([name, String(value)]); };
  add(state.shared);
  const frames = [];
  for (const thread of trace.threads) {
    const own = state.threads.get(keyOf(thread));
    add(own.private);
    for (let i = own.stack.length - 1; i >= 0; i--) {
      if (own.stack.length > 11 && i < own.stack.length - 8 && i > 2) continue;
      // At the end everybody stands where the run says.
      const told = row > n && thread.stack[i] ? thread.stack[i].line : null;
      const at = told || own.stack[i].line;
      frames.push(`${own.stack[i].fn || 'main'}${at ? `  line ${at}` : ''}`);
      add(own.stack[i].locals);
    }
  }
  const step = row === 0 ? null : trace.steps[row - 1];
  const line = row === 0 ? (n ? trace.steps[0].line : null) : step ? step.line || null : trace.goal ? trace.goal.line : trace.labels_at_end ? placeAtEnd(trace) : trace.monitor && n ? trace.steps[n - 1].line : null;
  // Few objects with few cells are all there.
  const objects = [...state.objects.values()].filter((object) => object.alive && object.kind !== 'constant');
  const isSmall = state.objects.size <= 16 && objects.every((object) => object.cells.size <= 24);
  const name = (object, cell) => (cell === '' && object.cells.size === 1 ? object.name : cell.replace(/^\./, ''));
  const cells = objects.flatMap((object) => [...object.cells].map(([cell, value]) => `${object.number} ${name(object, cell)} ${value}`));
  return { statement: step ? step.statement : undefined, effect: step ? effect(step) : undefined, values, frames, line, cells: isSmall ? cells : undefined };
}

function check(shown, trace, replay, row, what) {
  const wanted = expected(trace, replay, row);
  if (wanted.statement !== undefined) {
    if (wanted.statement) same(shown.statement.trim(), String(wanted.statement).trim(), `${what}, statement at ${row}`);
    same(shown.effect, wanted.effect, `${what}, effect at ${row}`);
  }
  same(shown.values, wanted.values, `${what}, values at ${row}`);
  if (wanted.cells !== undefined) same(shown.cells.sort(), wanted.cells.sort(), `${what}, memory at ${row}`);
  same(shown.frames, wanted.frames, `${what}, calls at ${row}`);
  if (wanted.line !== null) same(shown.line, wanted.line, `${what}, line at ${row}`);
  if (shown.nodes > 1000) throw new Error(`${what}: ${shown.nodes} elements`);
}

/** Walks through all runs of an answer, each behind a tab of its own. */
async function runs(page, { page: file, answer }) {
  const { trace, further_traces: further = [] } = JSON.parse(fs.readFileSync(answer, 'utf8'));
  let steps = 0;
  for (const [n, of] of [trace, ...further].entries()) {
    if (n > 0) await page.key(String(n + 1));
    steps += await walk(page, of, file, n === 0 ? '' : `${n + 1}:`);
  }
  if (further.length) {
    await page.key('1');
    check(await page.value(SHOWN), trace, new Replay(trace), lastRow(trace), `${file}, back`);
  }
  return { steps, further: further.length };
}

/** Walks through a run. Few steps are looked at one by one, many by jumps. */
async function walk(page, trace, file, run) {
  const replay = new Replay(trace);
  const last = lastRow(trace);
  const look = async (row) => check(await page.value(SHOWN), trace, replay, row, file);
  await look(last);
  await page.key('Home');
  const isShort = last <= 60;
  for (let row = 0; row <= last && (isShort || row < 20); row++) {
    await look(row);
    await page.key('ArrowDown');
  }
  if (trace.cycle && isShort) {
    const { where } = await page.value(SHOWN);
    if (!where.includes('round 2')) throw new Error(`${file}: once round a cycle is ${where}`);
    return keys(page, trace, replay, file);
  }
  await page.key('End');
  for (let row = last; row >= 0 && row > last - 15; row--) {
    await look(row);
    await page.key('ArrowUp');
  }
  for (let n = 0, row = 7; n < 8; n++, row = (row * 7919 + 13) % (last + 1)) {
    // Who listens last hears it when the page has gone there.
    await page.value(`new Promise((yes) => {
      // The address may be that of a row that was passed before.
      window.history.replaceState(null, '', '#');
      window.addEventListener('hashchange', yes, { once: true });
      window.location.hash = '#${run}${row % (last + 1)}';
    }).then(() => true)`);
    await look(row % (last + 1));
  }
  return keys(page, trace, replay, file);
}

/** Keys lead where they should. */
async function keys(page, trace, replay, file) {
  const { steps } = trace;
  const last = lastRow(trace);
  const row = () => page.value(`(() => {
    const at = document.getElementById('selected');
    return at && at.querySelector('.number').textContent ? Number(at.querySelector('.number').textContent) : null;
  })()`);
  const from = async (...presses) => {
    await page.key('Home');
    for (const [key, options] of presses) await page.key(key, options);
    return row();
  };
  const first = (holds) => {
    const found = steps.findIndex(holds);
    return found < 0 ? undefined : steps[found].step;
  };
  const change = first((step) => (step.changes || []).length > 0);
  if (change !== undefined) same(await from(['c']), change, `${file}: c`);
  const call = steps.findIndex((step) => step.kind === 'call');
  if (call >= 0) {
    const behind = steps.findIndex((step, n) => n > call && keyOf(step) === keyOf(steps[call]) && step.depth <= steps[call].depth);
    if (behind > 0) {
      const presses = Array.from({ length: call + 1 }, () => ['ArrowDown']);
      if (presses.length < 40) same(await from(...presses, ['ArrowDown', { shift: true }]), steps[behind].step, `${file}: over a call`);
      if (presses.length < 40 && steps[call + 1] && steps[call + 1].depth > steps[call].depth) same(await from(...presses, ['ArrowDown'], ['o']), steps[behind].step, `${file}: out`);
    }
    const isEnded = steps.some((step, n) => n > call && step.caller !== undefined && step.depth === steps[call].depth + 1 && keyOf(step) === keyOf(steps[call]));
    if (isEnded && call < 40) {
      const count = () => page.value(`document.querySelector('#steps .space').style.height`);
      await page.key('Home');
      for (let n = 0; n <= call; n++) await page.key('ArrowDown');
      const before = await count();
      await page.key('f');
      if ((await count()) === before) throw new Error(`${file}: f folds nothing`);
      await page.key('f');
      same(await count(), before, `${file}: f unfolds`);
    }
  }
  if (new Set(steps.map(keyOf)).size > 1) {
    const next = steps.findIndex((step, n) => n > 0 && step.context !== steps[n - 1].context);
    if (next > 0) same(await from(['ArrowDown'], ['n']), steps[next].step, `${file}: n`);
  }
  const word = steps.find((step) => step.statement);
  if (word) {
    await page.key('Home');
    await page.key('/');
    await page.type(word.statement);
    await page.key('Enter');
    const found = await page.value(SHOWN);
    if (!`${found.statement} ${found.effect}`.toLowerCase().includes(word.statement.toLowerCase())) throw new Error(`${file}: / finds ${found.statement}`);
    await page.key('Escape');
  }
  await page.key('End');
  same((await page.value(SHOWN)).where.startsWith(last > steps.length ? 'at the end' : 'step'), true, `${file}: End`);
  return steps.length;
}

/** With the escaping taken out, the policy alone keeps what is hostile from doing anything. */
async function unescaped(page, file) {
  await new Promise((yes) => setTimeout(yes, 100));
  const found = await page.value(`({ title: document.title, bad: String(window.bad), images: document.images.length })`);
  if (found.title === 'bad' || found.bad !== 'undefined') throw new Error(`${file}: the policy lets it run: ${JSON.stringify(found)}`);
  if (found.images === 0) throw new Error(`${file}: there is nothing to keep out`);
  if (page.problems.some((problem) => problem.startsWith('a dialog'))) throw new Error(`${file}: ${page.problems}`);
  const others = page.requests.filter((url) => !url.startsWith(`file://${file}`));
  same(others, [], `${file}: requests`);
  if (!page.problems.some((problem) => problem.includes('Content Security Policy'))) throw new Error(`${file}: nobody complains: ${page.problems}`);
}

/** Nothing that is drawn lies outside of its picture, and keys lead from one box of a graph to another. */
async function drawn(page, what) {
  const outside = await page.value(`[...document.querySelectorAll('.view:not([hidden]) .canvas svg')].flatMap((svg) => {
    const { width, height } = svg.viewBox.baseVal;
    const boxes = [...svg.querySelectorAll('.edge, .node')].map((part) => {
      const { x, y, width, height } = part.getBBox();
      const { e, f } = part.transform.baseVal.consolidate()?.matrix || { e: 0, f: 0 };
      return [x + e, y + f, x + e + width, y + f + height];
    });
    return boxes.filter(([left, top, right, bottom]) => left < 0 || top < 0 || right > width || bottom > height).map((box) => box.map(Math.round).join(' ') + ' of ' + width + ' ' + height);
  })`);
  same(outside, [], `${what}: outside of the picture`);
  const chosen = `[...document.querySelectorAll('.view:not([hidden]) .node')].findIndex((node) => node.classList.contains('chosen'))`;
  const isGraph = await page.value(`document.querySelectorAll('#states:not([hidden]) .node, #calls:not([hidden]) .node').length > 1`);
  if (!isGraph) return;
  const first = await page.value(chosen);
  await page.value(`document.querySelectorAll('.view:not([hidden]) .node')[${first}].focus()`);
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp']) {
    await page.key(key);
    if ((await page.value(chosen)) !== first) return;
  }
  throw new Error(`${what}: arrow keys lead nowhere`);
}

/** Every view opens. */
async function views(page, file) {
  const n = await page.value(`document.querySelectorAll('#tabs .tab').length`);
  for (let k = 1; k <= n; k++) {
    await page.key(String(k));
    const shown = await page.value(`[...document.querySelectorAll('.view, #main')].filter((v) => !v.hidden).map((v) => v.children.length)`);
    if (shown.length !== 1 || shown[0] === 0) throw new Error(`${file}: view ${k} shows ${JSON.stringify(shown)}`);
    await drawn(page, `${file}: view ${k}`);
  }
  if (n) await page.key('1');
  return n;
}

(async () => {
  const browser = new Browser(process.argv[2]);
  const plan = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
  const counts = { pages: 0, steps: 0, views: 0, texts: 0, drawn: 0, further: 0 };
  try {
    const page = await browser.page();
    for (const entry of plan) {
      await page.open(`file://${entry.page}`);
      if (entry.kind === 'unescaped') {
        await unescaped(page, entry.page);
        counts.pages += 1;
        continue;
      }
      if (entry.answer) {
        const walked = await runs(page, entry);
        counts.steps += walked.steps;
        counts.further += walked.further;
      }
      for (const text of entry.texts || []) {
        const body = await page.value('document.body.textContent');
        if (!body.includes(text)) throw new Error(`${entry.page}: no \`${text}\``);
        counts.texts += 1;
      }
      for (const text of entry.holds || []) {
        const all = await page.value(`[...document.querySelectorAll('.holds')].map((h) => h.textContent)`);
        if (!all.includes(text)) throw new Error(`${entry.page}: no \`${text}\` among ${JSON.stringify(all)}`);
        counts.texts += 1;
      }
      counts.views += await views(page, entry.page);
      // What is drawn is there once it has been looked at.
      for (const text of entry.drawn || []) {
        const body = await page.value(`document.getElementById('figures').textContent`);
        if (!body.includes(text)) throw new Error(`${entry.page}: no \`${text}\` is drawn: ${body}`);
        counts.drawn += 1;
      }
      same(page.problems, [], `${entry.page}: problems`);
      const others = page.requests.filter((url) => !url.startsWith(`file://${entry.page}`));
      same(others, [], `${entry.page}: requests`);
      counts.pages += 1;
    }
  } finally {
    await browser.close();
  }
  console.log(JSON.stringify(counts));
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
