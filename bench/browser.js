// Pages in a browser: how large and how quick reports and the playground are.
//
//   node bench/browser.js GETAFIX [FOLDER]
//
// GETAFIX is a binary, FOLDER what `cargo xtask web` made. Times are of the processor where a browser or a system tells them (the renderer with its workers, `user` of a command), since a machine
// may have other work; `wall` says where they are not, but the least of some by the clock. One figure a line, with the limit that it should keep.
'use strict';

const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');

const root = path.join(__dirname, '..');
const { Browser } = require(path.join(root, 'crates/cli/tests/browser/driver.js'));

const [getafix, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'getafix-bench-'));
const at = (name) => path.join(temporary, name);

function told(what, value, unit, limit) {
  const keeps = limit === undefined ? '' : value <= limit ? `  (at most ${limit})` : `  ABOVE ${limit}`;
  const shown = value >= 100 ? value.toFixed(0) : value.toPrecision(3);
  console.log(`${what.padEnd(52)} ${shown.padStart(8)} ${unit}${keeps}`);
}

/** Seconds that a command takes, the least of some: `%U` of the processor, `%R` by the clock. */
function taken(args, times, what) {
  const once = () => {
    const line = spawnSync('bash', ['-c', `TIMEFORMAT=${what}; time "$@" >/dev/null 2>"$0"`, at('stderr'), ...args], { encoding: 'utf8' });
    return Number(line.stderr.trim().split('\n').pop());
  };
  return Math.min(...Array.from({ length: times }, once));
}

/** Seconds of the processor that the page and its workers have taken. */
async function processed(page) {
  const { metrics } = await page.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ProcessTime').value;
}

async function opened(page, file) {
  await page.open('about:blank');
  const before = await processed(page);
  await page.open(`file://${file}`);
  await page.until(`!!document.getElementById('selected')`, 120000);
  return (await processed(page)) - before;
}

async function report(page) {
  fs.writeFileSync(at('t1.bp'), execFileSync(getafix, ['gen', 't1', '--n', '2000'], { maxBuffer: 1 << 28 }));
  const check = [getafix, 'check', at('t1.bp')];
  const json = taken([...check, '--trace', 'json'], 3, '%U');
  const html = taken([...check, '--trace', 'json', '--html', at('t1.html')], 3, '%U');
  told('t1 --n 2000: size of the page', fs.statSync(at('t1.html')).size / 1e6, 'MB', 2);
  told('t1 --n 2000: --html, times --trace json', html / json, '', 1.34);
  const ready = [];
  for (let n = 0; n < 3; n++) ready.push(await opened(page, at('t1.html')));
  told('t1 --n 2000: ready', Math.min(...ready), 's', 0.3);
  await page.key('Home');
  const before = await processed(page);
  let most = 0;
  for (let n = 0; n < 200; n++) {
    await page.key(n % 50 === 49 ? 'End' : 'ArrowUp');
    await page.value('new Promise((yes) => requestAnimationFrame(yes))');
    if (n % 20 === 0) most = Math.max(most, await page.value(`document.getElementsByTagName('*').length`));
  }
  told('t1 --n 2000: a key, mean of 200', ((await processed(page)) - before) * 5, 'ms', 16);
  told('t1 --n 2000: elements in the page', most, '', 1000);
}

async function long(page) {
  const text = 'decl n : int<18>; init n = 0;\nvoid main() begin\n  while (n < 250000) do\n    n := n + 1;\n    if (n = 7) then skip; fi\n    skip;\n  od\n  ERROR: skip;\nend\n';
  fs.writeFileSync(at('long.bp'), text);
  const { status } = spawnSync(getafix, ['check', at('long.bp'), '--engine', 'explicit', '--html', at('long.html')], { stdio: 'ignore' });
  if (status !== 10) throw new Error(`the long run ends in ${status}`);
  told('a million steps: size of the page', fs.statSync(at('long.html')).size / 1e6, 'MB');
  told('a million steps: ready', await opened(page, at('long.html')), 's');
  const rest = await page.value(`document.body.textContent.includes('are left out')`);
  console.log(`a million steps: the page ${rest ? 'says what it leaves out' : 'leaves nothing out'}`);
}

const ANSWERED = `document.getElementById('stop').disabled && !!window.playground && !!window.playground.last`;

async function playground(page) {
  for (const name of ['getafix', 'getafix-c']) {
    const module = fs.readFileSync(path.join(folder, `${name}.wasm`));
    told(`${name}.wasm`, module.length / 1e6, 'MB');
    told(`${name}.wasm after gzip`, zlib.gzipSync(module, { level: 9 }).length / 1e6, 'MB', 1.1);
  }
  const firsts = [];
  for (let n = 0; n < 3; n++) {
    await page.open('about:blank');
    const begin = Date.now();
    await page.open(`file://${path.join(folder, 'getafix.html')}`);
    await page.until(ANSWERED);
    firsts.push((Date.now() - begin) / 1000);
  }
  told('first answer after opening, wall', Math.min(...firsts), 's', 1);
  const questions = [['lock.bp', {}, []], ['recursion.bp', {}, []], ['bluetooth.bp', { k: 3 }, ['-k', '3']], ['peterson.bp', {}, []], ['safe_lock.bp', {}, []], ['change.c', {}, []], ['list.c', {}, []]];
  fs.writeFileSync(at('t1.bp'), execFileSync(getafix, ['gen', 't1', '--n', '200']));
  const files = questions.map(([name, options, args]) => [name, path.join(root, 'examples', name), options, args]);
  files.push(['t1 --n 200', at('t1.bp'), {}, []]);
  const ratios = [];
  for (const [name, file, options, args] of files) {
    const question = { name: path.basename(file), text: fs.readFileSync(file, 'utf8'), options };
    const ask = async () => {
      await page.value(`(() => { const p = window.playground; p.last = null; p.open(${JSON.stringify(question)}); p.ask(); })()`);
      await page.until(ANSWERED, 60000);
      return page.value('window.playground.last.milliseconds');
    };
    let warm = Infinity;
    for (let n = 0; n < 10; n++) warm = Math.min(warm, (await ask()) / 1000);
    const native = taken([getafix, 'check', file, ...args, '--json', '--html', at('page.html')], 10, '%R');
    ratios.push(warm / native);
    told(`${name}: warm, times native (${(native * 1e3).toFixed(0)} ms), wall`, warm / native, '', 8);
  }
  told('warm answers, times native: geometric mean', Math.exp(ratios.reduce((sum, r) => sum + Math.log(r), 0) / ratios.length), '', 5);
  const bits = Array.from({ length: 24 }, (_, i) => i);
  const endless = `decl ${bits.map((i) => `b${i}`).join(', ')};\nvoid main() begin\n  while (T) do\n${bits.map((i) => `    if (b${i}) then b${i} := F; b${(i * 7 + 5) % 24} := *; else b${i} := T; fi\n`).join('')}  od\n  ERROR: skip;\nend\n`;
  await page.value(`(() => { const p = window.playground; p.last = null; p.open(${JSON.stringify({ name: 'endless.bp', text: endless, options: { engine: 'explicit' } })}); p.ask(); })()`);
  await new Promise((yes) => setTimeout(yes, 700));
  const stopped = await page.value(`new Promise((yes) => { const begin = performance.now(); document.getElementById('stop').click(); const look = () => (window.playground.last ? yes(performance.now() - begin) : setTimeout(look, 1)); look(); })`);
  told('Stop, wall', stopped / 1000, 's', 0.2);
}

(async () => {
  const browser = new Browser('chromium');
  try {
    const page = await browser.page();
    await page.send('Performance.enable');
    await report(page);
    await long(page);
    if (folder) await playground(page);
  } finally {
    await browser.close();
    fs.rmSync(temporary, { recursive: true, force: true });
  }
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
