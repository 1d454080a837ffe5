// Answers one question after the other, each by a fresh instance of the module: memory never shrinks, and what has failed is thrown away.
'use strict';

/** Whoever has taken so many bytes when it ends has probably asked for more. */
const MUCH = 2 ** 28;

const utf8 = { to: new TextEncoder(), from: new TextDecoder() };

/** What ended an instance, in words. */
function ended(error, instance) {
  const text = String((error && error.message) || error);
  if (error instanceof RangeError || /stack|out of bounds/i.test(text)) return { kind: 'deep', reason: 'too deep for the browser' };
  let said = '';
  try {
    said = read(instance, instance.exports.answer_length());
  } catch (_) {
    // It cannot say anything any more.
  }
  if (said.includes('panicked')) return { kind: 'bug', reason: `this is a bug in getafix, please report it with the program: ${said}` };
  // What is built to be small says nothing. It has asked for more memory than there is, or it is wrong.
  const isLarge = instance && instance.exports.memory.buffer.byteLength > MUCH;
  if (isLarge || /memory/i.test(text)) return { kind: 'memory', reason: 'out of memory: a browser grants less than the command line does' };
  return { kind: 'bug', reason: `this is a bug in getafix, please report it with the program: ${text}` };
}

function read({ exports }, length) {
  return utf8.from.decode(new Uint8Array(exports.memory.buffer, exports.answer(), length));
}

async function answer(module, question) {
  const instance = await WebAssembly.instantiate(module, {});
  const begin = performance.now();
  try {
    const bytes = utf8.to.encode(JSON.stringify(question));
    const at = instance.exports.buffer(bytes.length);
    new Uint8Array(instance.exports.memory.buffer, at, bytes.length).set(bytes);
    const reply = JSON.parse(read(instance, instance.exports.ask()));
    return { ...reply, milliseconds: performance.now() - begin, bytes: instance.exports.memory.buffer.byteLength };
  } catch (error) {
    return { ended: ended(error, instance), milliseconds: performance.now() - begin };
  }
}

if (typeof self !== 'undefined') {
  self.onmessage = async ({ data: { number, module, question } }) => {
    let reply;
    try {
      reply = await answer(module, question);
    } catch (error) {
      reply = { ended: ended(error, null), milliseconds: 0 };
    }
    self.postMessage({ number, reply });
  };
}
if (typeof require !== 'undefined' && typeof process !== 'undefined') module.exports = { answer };
