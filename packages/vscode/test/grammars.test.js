// The grammars colour the examples of the repository as the languages mean them, and the settings that matter are what they must be.

'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const test = require('node:test');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const here = path.join(__dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));

async function registry() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const found = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scope);
      const file = path.join(here, found.path);
      return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
  });
}

const all = registry();

/** The words of a text with the last of their scopes. */
async function scopes(language, text) {
  const scope = manifest.contributes.grammars.find((grammar) => grammar.language === language).scopeName;
  const grammar = await (await all).loadGrammar(scope);
  const found = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) {
      const word = line.slice(token.startIndex, token.endIndex).trim();
      if (word !== '') {
        found.push([word, token.scopes[token.scopes.length - 1].replace('.getafix', '')]);
      }
    }
  }
  return found;
}

async function has(language, text, word, scope) {
  const found = await scopes(language, text);
  assert.ok(found.some(([known, of]) => known === word && of === scope), `${word} is no ${scope} in ${JSON.stringify(found)}`);
}

test('words, labels, functions and comments of programs', async () => {
  const text = 'decl x, n: int<3>; // a comment\nvoid main() begin\n  L: goto L, M;\n  x := f(T);\n  ERROR: skip;\nend';
  await has('bp', text, 'decl', 'keyword.other');
  await has('bp', text, 'int', 'storage.type');
  await has('bp', text, '// a comment', 'comment.line.double-slash');
  await has('bp', text, 'L', 'entity.name.label');
  await has('bp', text, 'goto', 'keyword.control');
  await has('bp', text, 'main', 'entity.name.function');
  await has('bp', text, 'T', 'constant.language');
  await has('bp', text, 'ERROR', 'invalid.deprecated.label.error');
  await has('bp', 'decl a: enum {P, Q};', 'P', 'variable.other.enummember');
  await has('bp', 'assume({x>0});', '{x>0}', 'variable.other.braces');
  await has('bp', 'thread p[2] begin', 'p', 'entity.name.type.thread');
  // A type behind a colon is no label's statement.
  const declared = await scopes('bp', 'decl n: int<3>;');
  assert.ok(!declared.some(([, of]) => of === 'entity.name.label'));
});

test('words and relations of formulas', async () => {
  const text = '#load "a.mu";\nmu bool Reach(State u, State v) Init(u) | (exists State x. Reach(u, x) & ProgramInt(x, v));\n/* two\nlines */ class C { bool x; };';
  await has('mu', text, '#load', 'keyword.other.directive');
  await has('mu', text, 'Reach', 'entity.name.function');
  await has('mu', text, 'ProgramInt', 'support.function');
  await has('mu', text, 'State', 'support.type');
  await has('mu', text, 'exists', 'keyword.control');
  await has('mu', text, 'lines', 'comment.block');
  await has('mu', text, 'C', 'entity.name.type');
  // A name may go on behind what looks like a word.
  assert.ok(!(await scopes('mu', "mu' = x;")).some(([word]) => word === 'mu'));
});

test('words and states of monitors', async () => {
  const text = 'monitor m\nbegin\n  initial state a:\n    on call(f) & x goto b;\n  target state b:\nend';
  await has('mon', text, 'm', 'entity.name.type.monitor');
  await has('mon', text, 'b', 'entity.name.label');
  await has('mon', text, 'call', 'support.function');
  await has('mon', text, 'initial', 'keyword.other');
});

test('no workspace can say which program is started', () => {
  const setting = manifest.contributes.configuration.properties['getafix.path'];
  assert.strictEqual(setting.scope, 'machine');
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.strictEqual(supported, 'limited');
  assert.ok(restrictedConfigurations.includes('getafix.path'));
});
