// Bundles the extension, and writes down the licences of what is in the bundle.

'use strict';

const esbuild = require('esbuild');
const fs = require('fs');
const path = require('path');

/** The packages that a bundle has parts of, by the folders of its inputs. */
function packages(inputs) {
  const found = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) {
      found.add(match[1]);
    }
  }
  return [...found].sort();
}

/** Name, version and licence of a package. */
function licence(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

const result = esbuild.buildSync({
  entryPoints: ['src/extension.js'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  external: ['vscode'],
  metafile: true,
  logLevel: 'warning',
});
const texts = packages(Object.keys(result.metafile.inputs)).map(licence);
if (texts.length === 0) {
  throw new Error('the bundle has no package in it');
}
fs.writeFileSync('THIRD-PARTY.txt', `What dist/extension.js is made of, beside our own code:\n\n${texts.join('\n---\n\n')}`);
