// Test: as much of Electron as the desktop shell touches, without its binary: objects that remember what was done to them.
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, NotificationConstructorOptions } from 'electron';
import type { ElectronModule } from './run.ts';

type Handler = (event: unknown, ...given: unknown[]) => unknown;

export class FakeContents extends EventEmitter {
  readonly id: number;
  readonly sent: [string, ...unknown[]][] = [];
  url = '';
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  constructor(id: number) {
    super();
    this.id = id;
  }
  isDestroyed = (): boolean => false;
  getURL = (): string => this.url;
  send = (channel: string, ...payload: unknown[]): void => void this.sent.push([channel, ...structuredClone(payload)]);
  setWindowOpenHandler = (handler: (details: { url: string }) => { action: string }): void => {
    this.openHandler = handler;
  };
}

export class FakeWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: FakeContents;
  readonly done: string[] = [];
  minimized = false;
  constructor(options: BrowserWindowConstructorOptions, contents: FakeContents) {
    super();
    this.options = options;
    this.webContents = contents;
  }
  loadURL = async (url: string): Promise<void> => {
    this.webContents.url = url;
    this.emit('ready-to-show');
  };
  isMinimized = (): boolean => this.minimized;
  restore = (): void => void this.done.push('restore');
  show = (): void => void this.done.push('show');
  focus = (): void => void this.done.push('focus');
  close = (): void => {
    this.emit('closed');
    this.webContents.emit('destroyed');
  };
}

export class FakeNotification extends EventEmitter {
  static supported = true;
  static readonly all: FakeNotification[] = [];
  /** What the system answers: an event of the notification, or nothing. */
  static answer: ['show'] | ['failed', string] | [] = ['show'];
  static isSupported = (): boolean => FakeNotification.supported;
  readonly options: NotificationConstructorOptions;
  closed = false;
  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
    FakeNotification.all.push(this);
  }
  show = (): void => {
    const [event, problem] = FakeNotification.answer;
    if (event !== undefined) queueMicrotask(() => this.emit(event, {}, problem));
  };
  close = (): void => {
    this.closed = true;
    this.emit('close');
  };
}

export interface FakeElectron {
  readonly module: ElectronModule;
  readonly app: EventEmitter & { readonly exits: number[]; readonly paths: Record<string, string>; readonly calls: string[] };
  readonly windows: FakeWindow[];
  readonly handlers: Map<string, Handler>;
  readonly schemes: { scheme: string; privileges?: object }[];
  readonly pages: Map<string, (request: { url: string; method: string }) => Promise<Response>>;
  readonly permissions: { request?: Handler; check?: Handler; device?: Handler };
  readonly session: EventEmitter;
  readonly power: EventEmitter;
  readonly opened: string[];
}

/** @param first false: another instance of the app holds the lock */
export function createFakeElectron(first = true): FakeElectron {
  const windows: FakeWindow[] = [];
  const handlers = new Map<string, Handler>();
  const schemes: FakeElectron['schemes'] = [];
  const pages: FakeElectron['pages'] = new Map();
  const permissions: FakeElectron['permissions'] = {};
  const opened: string[] = [];
  const power = new EventEmitter();
  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: Handler) => {
      permissions.request = handler;
    },
    setPermissionCheckHandler: (handler: Handler) => {
      permissions.check = handler;
    },
    setDevicePermissionHandler: (handler: Handler) => {
      permissions.device = handler;
    },
  });
  const app = Object.assign(new EventEmitter(), {
    exits: [] as number[],
    paths: {} as Record<string, string>,
    /** What was done before the app was ready, in order. */
    calls: [] as string[],
    setPath(name: string, path: string) {
      this.paths[name] = path;
    },
    requestSingleInstanceLock: () => first,
    enableSandbox() {
      this.calls.push('enableSandbox');
    },
    whenReady() {
      this.calls.push('whenReady');
      return Promise.resolve();
    },
    exit(code: number) {
      this.exits.push(code);
    },
    quit(this: EventEmitter) {
      this.emit('will-quit', { preventDefault: () => undefined });
    },
  });
  class BrowserWindow extends FakeWindow {
    constructor(options: BrowserWindowConstructorOptions) {
      const contents = new FakeContents(windows.length + 1);
      super(options, contents);
      windows.push(this);
      app.emit('web-contents-created', {}, contents);
    }
  }
  const module = {
    app,
    BrowserWindow,
    ipcMain: {
      handle: (channel: string, handler: Handler) => void handlers.set(channel, handler),
      removeHandler: (channel: string) => void handlers.delete(channel),
    },
    net: { fetch: () => Promise.reject(new Error('no network in here')) },
    Notification: FakeNotification,
    powerMonitor: power,
    protocol: {
      registerSchemesAsPrivileged(given: FakeElectron['schemes']) {
        app.calls.push('registerSchemesAsPrivileged');
        schemes.push(...given);
      },
      handle: (scheme: string, handler: (request: { url: string; method: string }) => Promise<Response>) => void pages.set(scheme, handler),
    },
    session: { defaultSession: session },
    shell: { openExternal: async (url: string) => void opened.push(url) },
  } as unknown as ElectronModule;
  return { module, app, windows, handlers, schemes, pages, permissions, session, power, opened };
}
