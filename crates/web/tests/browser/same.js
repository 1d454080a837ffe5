// Asks the module what was answered natively: the object, the words, the certificate and the page are the same, but for counts of bytes, since addresses are shorter here.
'use strict';

const fs = require('fs');
const path = require('path');

(async () => {
  const [folder, plan] = process.argv.slice(2);
  const { answer } = require(path.join(folder, 'worker.js'));
  const modules = {};
  for (const name of ['getafix', 'getafix-c']) modules[name] = await WebAssembly.compile(fs.readFileSync(path.join(folder, `${name}.wasm`)));
  let n = 0;
  for (const { question, reply } of JSON.parse(fs.readFileSync(plan, 'utf8'))) {
    const found = await answer(modules[/\.[ci]$/.test(question.file) ? 'getafix-c' : 'getafix'], question);
    if (found.ended) throw new Error(`${question.file} ${JSON.stringify(question.options)}: ${found.ended.reason}`);
    for (const part of ['status', 'verdict', 'text', 'diagnostics', 'notes', 'certificate', 'answer', 'html']) {
      const [here, there] = [found, reply].map((of) => String(JSON.stringify(of[part], (key, value) => (key === 'bytes' ? undefined : value))));
      if (here !== there) {
        const at = [...here].findIndex((letter, i) => letter !== there[i]);
        throw new Error(`${question.file} ${JSON.stringify(question.options)}: ${part}: …${here.slice(Math.max(0, at - 80), at + 80)}… instead of …${there.slice(Math.max(0, at - 80), at + 80)}…`);
      }
    }
    n += 1;
  }
  console.log(`${n} questions are answered alike`);
})().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
