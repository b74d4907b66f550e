// Test: the link of the desktop shell, over a pair of fake ends of Electron's IPC.
// IPC link and preload are the real ones; the fake copies what it carries, as Electron does.
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { build } from 'vite';
import { createIpcLink } from '../../main/electron/ipc-link.ts';
import type { Bridge } from '../../shared/channels/bridge.ts';
import { createBridgeLink } from '../../shared/channels/bridge-link.ts';
import { type LinkRig, TestCore, table } from './rig.ts';

/** The built preload, with the names of the table of cases. */
async function buildPreload(): Promise<string> {
  const names = (isPush: boolean): string =>
    JSON.stringify(
      Object.entries(table).flatMap(([name, channel]) => ((channel.kind === 'push') === isPush ? [name] : [])),
    );
  const outputs = await build({
    configFile: join(import.meta.dirname, '../../vite.preload.config.ts'),
    logLevel: 'error',
    define: { CALL_NAMES: names(false), PUSH_NAMES: names(true) },
    build: { write: false },
  });
  const code = [outputs].flat().flatMap((output) => ('output' in output ? output.output : []));
  const [file, ...others] = code;
  if (file?.type !== 'chunk' || others.length > 0) throw new Error('the preload is not one file');
  return file.code;
}

let built: Promise<string> | undefined;

type Handler = (event: IpcMainInvokeEvent, ...given: unknown[]) => unknown;

class FakeContents extends EventEmitter {
  readonly #receive: (channel: string, ...payload: unknown[]) => void;
  readonly id: number;
  readonly #url: string;
  readonly #isCut: () => boolean;
  constructor(
    id: number,
    url: string,
    isCut: () => boolean,
    receive: (channel: string, ...payload: unknown[]) => void,
  ) {
    super();
    this.#isCut = isCut;
    this.id = id;
    this.#url = url;
    this.#receive = receive;
  }
  isDestroyed = (): boolean => false;
  getURL = (): string => this.#url;
  send = (channel: string, ...payload: unknown[]): void => {
    if (this.#isCut()) return;
    const copied = structuredClone(payload);
    queueMicrotask(() => this.#receive(channel, ...copied));
  };
}

export async function electronRig(): Promise<LinkRig> {
  built ??= buildPreload();
  const preload = new Function('require', await built);
  const core = new TestCore();
  const handlers = new Map<string, Handler>();
  const ipcMain = {
    handle: (channel: string, handler: Handler) => void handlers.set(channel, handler),
    removeHandler: (channel: string) => void handlers.delete(channel),
  } as unknown as IpcMain;
  let isCut = false;
  let lastId = 0;

  /** A window with the real preload script, without a browser. */
  const openWindow = (url: string, isTop = true): { bridge: Bridge; contents: WebContents } => {
    const pushed = new EventEmitter();
    const contents = new FakeContents(
      ++lastId,
      url,
      () => isCut,
      (channel, ...payload) => {
        pushed.emit(channel, {}, ...payload);
      },
    ) as unknown as WebContents;
    const senderFrame = { url, parent: isTop ? null : {} };
    let bridge: Bridge | undefined;
    const electron = {
      contextBridge: {
        exposeInMainWorld: (_name: string, exposed: Bridge) => {
          bridge = exposed;
        },
      },
      ipcRenderer: {
        on: (channel: string, listener: (...given: unknown[]) => void) => pushed.on(channel, listener),
        invoke: async (channel: string, ...given: unknown[]) => {
          const handler = handlers.get(channel);
          if (handler === undefined || isCut) throw new Error(`No handler registered for '${channel}'`);
          return structuredClone(
            await handler({ sender: contents, senderFrame } as IpcMainInvokeEvent, ...structuredClone(given)),
          );
        },
      },
    };
    preload(() => electron);
    if (bridge === undefined) throw new Error('the preload exposed nothing');
    return { bridge, contents };
  };

  const link = createIpcLink(ipcMain, () => undefined);
  const own = openWindow('app://barograph/');
  link.attach(own.contents, core);
  const stranger = (url: string, isTop: boolean, attached: boolean) => async () => {
    const window = openWindow(url, isTop);
    if (attached) link.attach(window.contents, core);
    return createBridgeLink(window.bridge);
  };
  return {
    core,
    window: createBridgeLink(own.bridge),
    cut: async () => {
      isCut = true;
    },
    restore: async () => {
      isCut = false;
    },
    strangers: [
      { name: 'a page of another address', open: stranger('https://example.com/', true, true) },
      {
        name: 'a page whose address only begins like ours',
        open: stranger('app://barograph.example.com/', true, true),
      },
      { name: 'a frame inside our page', open: stranger('app://barograph/', false, true) },
      { name: 'a window that was given no core', open: stranger('app://barograph/', true, false) },
    ],
    close: async () => link.close(),
  };
}
