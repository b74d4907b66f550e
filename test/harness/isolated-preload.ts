// Test harness: runs the real preload in an isolated world of a page in a real Chromium.
// As in Electron, scripts of the page reach only what it exposes. The debugger's binding plays contextBridge
// and ipcRenderer, in text.
import type { Page } from '@playwright/test';
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';

const WORLD = 'preload';

/** Runs in the world of the preload, before it. */
const ELECTRON = `
const listeners = [];
const waiting = new Map();
let last = 0;
globalThis.fromMain = ({ id, value, push }) => {
  if (push !== undefined) for (const listener of listeners) listener({}, ...push);
  else waiting.get(id)?.(value);
};
const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(kind, { detail: JSON.stringify(detail) }));
const electron = {
  contextBridge: {
    exposeInMainWorld(name, api) {
      document.addEventListener('bridge:call', async ({ detail }) => {
        const { id, name, payload } = JSON.parse(detail);
        tell('bridge:answer', await api.call(name, payload).then((value) => ({ id, value }), (thrown) => ({ id, problem: thrown.message })));
      });
      document.addEventListener('bridge:subscribe', ({ detail }) => {
        const { id, name } = JSON.parse(detail);
        api.subscribe(name, (payload) => tell('bridge:push', { id, payload }));
      });
      tell('bridge:exposed', { name, functions: Object.keys(api) });
    },
  },
  ipcRenderer: {
    on: (channel, listener) => channel === 'barograph:push' && listeners.push(listener),
    invoke: (channel, ...given) => new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      toMain(JSON.stringify({ id: last, channel, given }));
    }),
  },
};
const require = (name) => {
  if (name !== 'electron') throw new Error('a sandboxed preload cannot load ' + name);
  return electron;
};
`;

/** Runs in the world of the page, as contextBridge would expose it. */
const EXPOSED = `
document.addEventListener('bridge:exposed', ({ detail }) => {
  const { name, functions } = JSON.parse(detail);
  const waiting = new Map();
  const listeners = new Map();
  let last = 0;
  const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(kind, { detail: JSON.stringify(detail) }));
  document.addEventListener('bridge:answer', ({ detail }) => {
    const { id, value, problem } = JSON.parse(detail);
    const [resolve, reject] = waiting.get(id);
    problem === undefined ? resolve(value) : reject(new Error(problem));
  });
  document.addEventListener('bridge:push', ({ detail }) => {
    const { id, payload } = JSON.parse(detail);
    listeners.get(id)?.(payload);
  });
  const api = {
    call: (name, payload) => new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, [resolve, reject]);
      tell('bridge:call', { id: last, name, payload });
    }),
    subscribe: (name, listener) => {
      last += 1;
      const id = last;
      listeners.set(id, listener);
      tell('bridge:subscribe', { id, name });
      return () => void listeners.delete(id);
    },
  };
  window[name] = Object.fromEntries(functions.map((one) => [one, api[one]]));
});
`;

type Handler = Parameters<IpcMain['handle']>[1];

export interface IsolatedPreload {
  readonly ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  /** The page as the main process sees it. */
  readonly contents: WebContents;
}

/**
 * Call before the page is opened.
 * @param preload the built file
 * @param address of the page, as the main process sees it
 */
export async function isolatePreload(page: Page, preload: string, address: string): Promise<IsolatedPreload> {
  const client = await page.context().newCDPSession(page);
  const handlers = new Map<string, Handler>();
  let world: number | null = null;
  const send = async (message: object): Promise<void> => {
    if (world === null) return;
    await client.send('Runtime.evaluate', { contextId: world, expression: `fromMain(${JSON.stringify(message)})` });
  };
  const contents = {
    id: 1,
    isDestroyed: () => page.isClosed(),
    getURL: () => address,
    once: () => undefined,
    send: (_channel: string, ...push: unknown[]) => void send({ push }).catch(() => undefined),
  } as unknown as WebContents;

  client.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === WORLD) world = context.id;
  });
  client.on('Runtime.bindingCalled', async ({ payload }) => {
    const { id, channel, given } = JSON.parse(payload);
    const event = { sender: contents, senderFrame: { url: address, parent: null } } as unknown as IpcMainInvokeEvent;
    const value = await handlers.get(channel)?.(event, ...given);
    await send({ id, value }).catch(() => undefined);
  });
  await client.send('Page.enable');
  await client.send('Runtime.enable');
  await client.send('Runtime.addBinding', { name: 'toMain', executionContextName: WORLD });
  // The page's world comes first, because it listens for the exposed names.
  await client.send('Page.addScriptToEvaluateOnNewDocument', { source: EXPOSED });
  await client.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(() => {${ELECTRON}\n((require) => {${preload}\n})(require);})();`,
    worldName: WORLD,
  });
  return {
    ipcMain: {
      handle: (channel, handler) => void handlers.set(channel, handler),
      removeHandler: (channel) => void handlers.delete(channel),
    },
    contents,
  };
}
