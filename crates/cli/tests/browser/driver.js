// A browser by its DevTools protocol, through a pipe: no package, no port, no network.
//
// Contract: one browser for many pages. A page keeps what it logs, what it asks for and what it opens, so that a test can say that it does none of it.
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Browser {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'getafix-browser-'));
    // A frame that may do nothing stays in the process of its page, so that what goes wrong in it is heard here.
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run', '--disable-extensions', `--user-data-dir=${this.profile}`, '--disable-dev-shm-usage', '--hide-scrollbars', '--disable-features=IsolateSandboxedIframes'];
    this.process = spawn(program, options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.heard(JSON.parse(rest.subarray(0, end).toString('utf8')));
        rest = rest.subarray(end + 1);
      }
    });
  }

  heard(message) {
    const waits = this.waiting.get(message.id);
    if (!waits) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) waits.no(new Error(message.error.message));
    else waits.yes(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((yes, no) => this.waiting.set(id, { yes, no }));
  }

  async page(width = 1400, height = 900) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.size(width, height);
    return page;
  }

  async close() {
    const ended = new Promise((yes) => this.process.on('exit', yes));
    this.send('Browser.close').catch(() => {});
    await ended;
    fs.rmSync(this.profile, { recursive: true, force: true });
  }
}

class Page {
  constructor(browser, target, session) {
    Object.assign(this, { browser, target, session, problems: [], requests: [], sent: new Map(), loaded: [], contexts: new Set() });
    browser.listeners.push((message) => {
      if (message.sessionId === session) this.heard(message);
    });
  }

  heard({ method, params }) {
    if (method === 'Runtime.exceptionThrown') this.problems.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error') this.problems.push(params.args.map((a) => a.value).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.problems.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
      this.sent.set(params.requestId, params.request.url);
    }
    // What the policy has kept back was never asked for.
    if (method === 'Network.loadingFailed' && params.blockedReason === 'csp') {
      const at = this.requests.indexOf(this.sent.get(params.requestId));
      if (at >= 0) this.requests.splice(at, 1);
    }
    if (method === 'Runtime.executionContextCreated') this.contexts.add(params.context.id);
    if (method === 'Runtime.executionContextDestroyed') this.contexts.delete(params.executionContextId);
    if (method === 'Page.javascriptDialogOpening') {
      this.problems.push(`a dialog: ${params.message}`);
      this.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
    }
    if (method === 'Page.loadEventFired') for (const yes of this.loaded.splice(0)) yes();
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  size(width, height) {
    return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  scheme(value) {
    return this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }

  /** Loads an address; from one step of a page to another nothing would be loaded, hence the empty page between. */
  async open(address) {
    for (const url of ['about:blank', address]) {
      this.problems = [];
      this.requests = [];
      const loaded = new Promise((yes) => this.loaded.push(yes));
      await this.send('Page.navigate', { url });
      await loaded;
    }
  }

  /** The value of an expression, or of a promise. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  /** Whether an expression holds in the page or in one of its frames. */
  async holdsSomewhere(expression) {
    for (const contextId of this.contexts) {
      const found = await this.send('Runtime.evaluate', { expression: `Boolean(${expression})`, returnByValue: true, contextId }).catch(() => null);
      if (found && found.result.value === true) return true;
    }
    return false;
  }

  async until(expression, milliseconds = 20000) {
    const end = Date.now() + milliseconds;
    for (;;) {
      if (await this.value(expression)) return;
      if (Date.now() > end) throw new Error(`it never holds: ${expression}`);
      await new Promise((yes) => setTimeout(yes, 20));
    }
  }

  async key(key, { shift = false } = {}) {
    const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
    const modifiers = shift ? 8 : 0;
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers });
  }

  async type(text) {
    await this.send('Input.insertText', { text });
  }

  async picture(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }
}

module.exports = { Browser };
