// Starts `getafix lsp`, and shows the page of a check beside the text.
//
// Contract: which program is started is the machine's setting, never a workspace's: a value from a folder is not even looked at. The page of a check is made by that program and carries its own
// policy, which allows its own script and style and no network.

'use strict';

const path = require('path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const CHECK = 'getafix.check';

let client;

/** The program, by the settings of the machine and the user alone. */
function program() {
  const found = vscode.workspace.getConfiguration('getafix').inspect('path');
  const chosen = (found && (found.globalValue || found.defaultValue)) || 'getafix';
  const isName = !/[\\/]/.test(chosen);
  if (!isName && !path.isAbsolute(chosen)) {
    throw new Error('`getafix.path` is a name that is looked for on the path, or an absolute path');
  }
  return chosen;
}

/** Shows the page of a check. */
function show(answer) {
  if (!answer || typeof answer.html !== 'string' || answer.html === '') {
    if (answer && answer.text) {
      vscode.window.showErrorMessage(`Getafix: ${answer.text.trim().split('\n').slice(0, 5).join('\n')}`);
    }
    return;
  }
  const name = decodeURIComponent(answer.uri.split('/').pop());
  const panel = vscode.window.createWebviewPanel('getafix.report', `${name}: ${answer.verdict}`, vscode.ViewColumn.Beside, {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [],
    retainContextWhenHidden: true,
  });
  panel.webview.html = answer.html;
}

/** Checks are made in trusted workspaces only: a program in C may include any file. */
async function checked(command, args, next) {
  if (command !== CHECK) {
    return next(command, args);
  }
  if (!vscode.workspace.isTrusted) {
    vscode.window.showWarningMessage('Getafix checks programs of workspaces that you trust.');
    return undefined;
  }
  const answer = await next(command, args);
  show(answer);
  return answer;
}

async function activate(context) {
  const languages = ['bp', 'mu', 'mon'];
  if (vscode.workspace.getConfiguration('getafix').get('c')) {
    languages.push('c');
  }
  const documentSelector = languages.flatMap((language) => [
    { scheme: 'file', language },
    { scheme: 'untitled', language },
  ]);
  const server = { command: program(), args: ['lsp'] };
  client = new LanguageClient('getafix', 'Getafix', server, { documentSelector, middleware: { executeCommand: checked } });
  context.subscriptions.push(
    vscode.commands.registerCommand('getafix.checkFile', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) {
        await vscode.commands.executeCommand(CHECK, editor.document.uri.toString());
      }
    }),
  );
  try {
    await client.start();
  } catch (error) {
    const hint = 'Install it, or set `getafix.path` in your user settings.';
    vscode.window.showErrorMessage(`Getafix: \`${server.command}\` cannot be started. ${hint} (${error.message})`);
  }
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
