// Test: makes doubles of Electron's binary, which is not on every machine.
// The packager gets a folder with a wire of fuses; the packaged main process gets a module `electron`.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asar, fuses } from './packager.ts';

/** The marker by which fuses are found in Electron's binary, then the version and number of fuses, then one sign for each (0: off). */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** @returns the folder to be given as `electronDist` for Linux */
export async function writeElectronFolder(parent: string, version: string): Promise<string> {
  const folder = join(parent, 'electron-folder');
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  mkdirSync(join(parent, 'default-app'));
  writeFileSync(join(parent, 'default-app', 'package.json'), '{}');
  await asar().createPackage(join(parent, 'default-app'), join(folder, 'resources', 'default_app.asar'));
  const count = Object.values(fuses().FuseV1Options).filter((value) => typeof value === 'number').length;
  const wire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, count]), Buffer.from('1'.repeat(count))]);
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(4096), wire, Buffer.alloc(1024)]),
    {
      mode: 0o755,
    },
  );
  writeFileSync(join(folder, 'version'), version);
  for (const name of [
    'LICENSE',
    'LICENSES.chromium.html',
    'chrome-sandbox',
    'chrome_crashpad_handler',
    'icudtl.dat',
    'locales/en-US.pak',
  ])
    writeFileSync(join(folder, name), '');
  return folder;
}

/**
 * The packager's tools for an AppImage, without the one that compresses: it copies the folder that would be packed.
 * @returns the folder to be given as APPIMAGE_TOOLS_PATH, and where the copy will be
 */
export function writeAppImageTools(parent: string): { readonly tools: string; readonly copy: string } {
  const tools = join(parent, 'appimage-tools');
  const copy = join(parent, 'appimage');
  mkdirSync(join(tools, 'runtimes'), { recursive: true });
  mkdirSync(join(tools, 'lib', process.arch), { recursive: true });
  writeFileSync(join(tools, 'runtimes', `runtime-${process.arch}`), 'runtime');
  writeProgram(join(tools, 'desktop-file-validate'), 'exit 0');
  writeProgram(join(tools, 'mksquashfs'), `cp -r "$1" '${copy}' && : > "$2"`);
  return { tools, copy };
}

/** A program of the shell. */
export const writeProgram = (path: string, script: string): void =>
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** What the page of the packaged application asks its main process; the archive answers in a thread. */
export const QUESTIONS = {
  'state.snapshot': {},
  'shell.read': {},
  'profiles.read': {},
  'briefings.list': {},
} as const;

/**
 * Lays out the packed application so that plain Node runs it: a folder with the archive's name for the main process,
 * and beside it the files as they were packed for threads and processes. Windows are invisible; the network and the
 * processes are Node's.
 * @param resources the packager's folder of archive and plain files
 * @returns the arguments for Node
 */
export function layOut(resources: string, parent: string): string[] {
  const archive = join(parent, 'app.asar');
  asar().extractAll(join(resources, 'app.asar'), archive);
  cpSync(join(resources, 'app.asar.unpacked'), `${archive}.unpacked`, { recursive: true });
  const electron = join(archive, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  writeFileSync(join(electron, 'package.json'), '{"name":"electron","main":"index.js"}');
  writeFileSync(join(electron, 'index.js'), MODULE);
  writeFileSync(join(parent, 'as-electron.mjs'), AS_ELECTRON);
  return ['--import', join(parent, 'as-electron.mjs'), join(archive, 'dist/main/entry.js')];
}

/** Runs in every thread and process: it is Electron's, and only the main thread may load from inside the archive. */
const AS_ELECTRON = `
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '0.0.0' } });
if (!isMainThread || process.send !== undefined)
  registerHooks({
    load(url, context, next) {
      if (url.includes('/app.asar/')) throw new Error('loaded from inside the archive: ' + url);
      const module = next(url, context);
      const [, name] = /\\/app\\.asar\\.unpacked\\/dist\\/main\\/(\\w+)\\.js$/.exec(url) ?? [];
      if (name !== undefined) console.log('loaded ' + name);
      return module;
    },
  });
`;

const MODULE = `
const { EventEmitter } = require('node:events');
const { fork } = require('node:child_process');
const handlers = new Map();
class Contents extends EventEmitter {
  id = 1; url = ''; isDestroyed() { return false; } getURL() { return this.url; } reload() {} setWindowOpenHandler() {}
  send(channel, name) { console.log('sent ' + name); }
}
class BrowserWindow extends EventEmitter {
  static all = []; static getAllWindows() { return BrowserWindow.all; }
  webContents = new Contents();
  constructor(options) { super(); this.options = options; BrowserWindow.all.push(this); app.emit('web-contents-created', {}, this.webContents); }
  async loadURL(url) {
    this.webContents.url = url;
    const page = await schemes.get('app')({ url, method: 'GET' });
    console.log('page ' + page.status + ' ' + (await page.text()).includes('<div id="root">'));
    const ask = handlers.get('barograph:call');
    const frame = { url, parent: null };
    for (const [name, question] of ${JSON.stringify(Object.entries(QUESTIONS))}) {
      const answer = await ask({ sender: this.webContents, senderFrame: frame }, name, question);
      console.log('answer ' + name + ' ' + answer.ok);
    }
    this.emit('ready-to-show');
    console.log('shown');
  }
  getNormalBounds() { return { x: 0, y: 0, width: 800, height: 600 }; }
  isMaximized() { return false; } isMinimized() { return false; } show() {} focus() {} minimize() {} destroy() {}
}
const schemes = new Map();
const session = { fetch: (url, init) => fetch(url, { ...init, bypassCustomProtocolHandlers: undefined }), resolveProxy: async () => 'DIRECT', setPermissionRequestHandler() {}, setPermissionCheckHandler() {}, setDevicePermissionHandler() {}, on() {} };
const app = Object.assign(new EventEmitter(), {
  isPackaged: false, setPath() {}, getPath: () => process.cwd(), getVersion: () => '0.0.0', requestSingleInstanceLock: () => true, releaseSingleInstanceLock() {},
  enableSandbox() {}, whenReady: async () => {}, setBadgeCount() {}, getLoginItemSettings: () => ({}), exit: (code) => process.exit(code),
  commandLine: { hasSwitch: () => false },
  quit() { app.emit('before-quit', {}); app.emit('will-quit', { preventDefault() {} }); },
});
process.on('SIGTERM', () => app.quit());
// Named one by one, so that Node finds them for an import.
exports.app = app;
exports.BrowserWindow = BrowserWindow;
exports.Tray = class extends EventEmitter {};
exports.Notification = class extends EventEmitter { static isSupported() { return false; } };
exports.dialog = {};
exports.ipcMain = { on() {}, handle: (name, handler) => handlers.set(name, handler), removeHandler() {} };
exports.Menu = { buildFromTemplate: (template) => template, setApplicationMenu() {} };
exports.nativeImage = {};
exports.nativeTheme = new EventEmitter();
exports.powerMonitor = new EventEmitter();
exports.protocol = { registerSchemesAsPrivileged() {}, handle: (scheme, answer) => schemes.set(scheme, answer) };
exports.screen = { getPrimaryDisplay: () => ({ id: 1, workArea: { x: 0, y: 0, width: 1000, height: 800 } }), getAllDisplays: () => [{ id: 1 }] };
exports.session = { defaultSession: session, fromPartition: () => session };
exports.shell = {};
exports.utilityProcess = {
  fork(path, args, options) {
    const child = fork(path, args, { env: options.env });
    child.on('message', ({ verb }) => console.log('keychain answered ' + verb));
    child.on('exit', (code) => console.log('keychain ended ' + code));
    return { postMessage: (message) => child.send(message), once: (name, listener) => child.once(name, listener), kill: () => child.kill() };
  },
};
`;
