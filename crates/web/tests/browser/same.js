// Asks the module what was answered natively: status, verdict and targets are the same. Which engine is first depends on bytes, and addresses are shorter here.
'use strict';

const fs = require('fs');
const path = require('path');

(async () => {
  const [folder, plan] = process.argv.slice(2);
  const { answer } = require(path.join(folder, 'worker.js'));
  const module = await WebAssembly.compile(fs.readFileSync(path.join(folder, 'getafix.wasm')));
  let n = 0;
  for (const { question, reply } of JSON.parse(fs.readFileSync(plan, 'utf8'))) {
    const found = await answer(module, question);
    if (found.ended) throw new Error(`${question.file} ${JSON.stringify(question.options)}: ${found.ended.reason}`);
    const told = ({ status, verdict, answer: of }) => ({ status, verdict, targets: of && of.targets, diagnostics: of && of.diagnostics });
    for (const part of ['status', 'verdict', 'targets', 'diagnostics']) {
      const [here, there] = [String(JSON.stringify(told(found)[part])), String(JSON.stringify(told(reply)[part]))];
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
