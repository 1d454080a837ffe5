// The playground in a real browser, from disk: it answers, underlines, stops, survives what is too much for it, and sends nothing.
'use strict';

const fs = require('fs');
const path = require('path');
const [folder, root] = process.argv.slice(2);
const { Browser } = require(path.join(root, 'crates/cli/tests/browser/driver.js'));

const ANSWERED = `document.getElementById('stop').disabled && !!window.playground && !!window.playground.last`;

function must(holds, what) {
  if (!holds) throw new Error(what);
}

(async () => {
  const browser = new Browser('chromium');
  const told = {};
  try {
    const page = await browser.page();
    const address = `file://${path.resolve(folder, 'getafix.html')}`;
    const begin = Date.now();
    await page.open(address);
    await page.until(ANSWERED);
    told.first = Date.now() - begin;
    const last = () => page.value(`(({ status, verdict, ended, milliseconds, bytes }) => ({ status, verdict, ended, milliseconds, bytes }))(window.playground.last)`);
    must((await last()).verdict === 'reachable', `the first example: ${JSON.stringify(await last())}`);
    const shows = async (expression) => {
      for (let n = 0; n < 200 && !(await page.holdsSomewhere(expression)); n++) await new Promise((yes) => setTimeout(yes, 20));
      return page.holdsSomewhere(expression);
    };
    must(await shows(`document.querySelector('#steps #selected .goal')`), 'the report is shown, at the end of its run');

    // Another question, its options being fields.
    const ask = async (set) => {
      await page.value(`(() => { const p = window.playground; p.last = null; ${set}; p.ask(); })()`);
      await page.until(ANSWERED, 60000);
      return last();
    };
    const open = (name, text, options = {}, texts = {}) => `p.open(${JSON.stringify({ name, text, options, texts })})`;
    const text = 'decl x; init !x;\nvoid main() begin\n  while (T) do x := !x; L: skip; od\nend\n';
    must((await ask(open('a.bp', text, { nonterm: true }))).status === 10, 'it goes on for ever');
    must((await ask(open('a.bp', text, { repeat: 'L' }))).status === 10, 'it passes L again and again');
    must((await ask(open('a.bp', text, { algorithm: 'own.mu' }, { 'own.mu': 'query true;' }))).status !== undefined, 'an own formula');
    const c = 'void reach_error(void); void *malloc(unsigned long); int main(void) { int *x = malloc(sizeof *x); *x = 2; if (*x == 2) reach_error(); return 0; }';
    must((await ask(open('a.c', c))).status === 10, 'C with a heap');
    must(await shows(`document.querySelector('#state .memory .cell')`), 'its memory is shown');

    // A file of formulas: its answers once, and their derivations.
    const formulas = fs.readFileSync(path.join(root, 'examples/reach.mu'), 'utf8');
    must((await ask(open('reach.mu', formulas))).verdict === 'evaluated', 'a file of formulas');
    must(await shows(`document.querySelector('#main #plain') && document.querySelector('#head h1').textContent === 'evaluated' && document.getElementById('derivation')`), 'its answers are shown');

    // Mistakes are listed and underlined.
    must((await ask(open('bad.bp', 'void main() begin\n  x := T;\nend\n'))).status === 2, 'a mistake');
    must((await page.value(`document.querySelectorAll('#mistakes li').length`)) > 0, 'it is listed');
    must((await page.value(`[...document.querySelectorAll('.mistake')].map((m) => m.textContent).join()`)) === 'x', 'it is underlined');

    // Stop, and the next question works.
    const long = `decl ${Array.from({ length: 24 }, (_, i) => `b${i}`).join(', ')};\nvoid main() begin\n  while (T) do\n${Array.from({ length: 24 }, (_, i) => `    if (b${i}) then b${i} := F; b${(i * 7 + 5) % 24} := *; else b${i} := T; fi\n`).join('')}  od\n  ERROR: skip;\nend\n`;
    await page.value(`(() => { const p = window.playground; p.last = null; ${open('long.bp', long, { engine: 'explicit', nonterm: false })}; p.ask(); })()`);
    await new Promise((yes) => setTimeout(yes, 700));
    const stopped = await page.value(`(() => { const t = performance.now(); document.getElementById('stop').click(); return performance.now() - t; })()`);
    const clicked = Date.now();
    await page.until(ANSWERED);
    told.stop = Math.round(stopped) + Date.now() - clicked;
    told.stopped = (await last()).ended || (await last()).verdict;
    must((await ask(open('a.bp', text, { nonterm: true }))).status === 10, 'the next question works');

    // A limit of time is an answer.
    await page.value(`document.getElementById('seconds').value = 1`);
    const late = await ask(open('long.bp', long, { engine: 'explicit' }));
    must(late.ended ? late.ended.reason === 'timeout after 1 s' : late.verdict === 'unreachable', JSON.stringify(late));
    await page.value(`document.getElementById('seconds').value = 60`);

    // Too deep is an answer, and the next question works.
    const deep = `decl x; void main() begin\n x := ${'!('.repeat(200000)}x${')'.repeat(200000)};\nend\n`;
    const depth = await ask(open('deep.bp', deep));
    must(depth.ended ? ['deep', 'memory'].includes(depth.ended.kind) : depth.status !== undefined, JSON.stringify(depth));
    told.deep = depth.ended || depth.verdict;
    must((await ask(open('a.bp', text, { nonterm: true }))).status === 10, 'the next question works again');

    // A program in the address.
    await page.value(`window.playground.share()`);
    await page.until(`window.location.hash.length > 20`);
    const shared = await page.value('window.location.href');
    await page.open(shared);
    await page.until(ANSWERED);
    must((await page.value(`window.playground.texts['a.bp']`)) === text && (await last()).status === 10, 'the address has the program and the question');

    // Hostile text is text.
    const hostile = '// </script><script>window.bad = 1; alert(1)</script><img src=x onerror=alert(2)>\nvoid main() begin ERROR: skip; end\n';
    must((await ask(open('</script><img src=x onerror=alert(3)>.bp', hostile))).status === 10, 'hostile text');
    await new Promise((yes) => setTimeout(yes, 200));
    must((await page.value('String(window.bad)')) === 'undefined', 'it does nothing');
    const others = page.requests.filter((url) => !/^(file:|blob:|data:|about:)/.test(url));
    must(others.length === 0, `requests: ${others}`);
    const problems = page.problems.filter((problem) => !/replaceState/.test(problem));
    must(problems.length === 0, `problems: ${problems}`);
  } finally {
    await browser.close();
  }
  console.log(JSON.stringify(told));
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
