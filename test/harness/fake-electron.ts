// Test harness: the part of Electron that the desktop shell uses, as recording objects.
import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  NotificationConstructorOptions,
} from 'electron';
import type { Bounds } from '../../main/electron/bounds.ts';
import type { ElectronModule } from '../../main/electron/shell-options.ts';

type Handler = (event: unknown, ...given: unknown[]) => unknown;

export class FakeContents extends EventEmitter {
  readonly id: number;
  readonly sent: [string, ...unknown[]][] = [];
  url = '';
  reloads = 0;
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  constructor(id: number) {
    super();
    this.id = id;
  }
  isDestroyed = (): boolean => false;
  getURL = (): string => this.url;
  send = (channel: string, ...payload: unknown[]): void => void this.sent.push([channel, ...structuredClone(payload)]);
  reload = (): void => {
    this.reloads += 1;
  };
  setWindowOpenHandler = (handler: (details: { url: string }) => { action: string }): void => {
    this.openHandler = handler;
  };
}

export class FakeWindow extends EventEmitter {
  /** What becomes of the page that a window loads. */
  static page: 'loads' | 'hangs' | 'fails' = 'loads';
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: FakeContents;
  readonly done: string[] = [];
  minimized = false;
  maximized = false;
  closed = false;
  bounds: Bounds;
  overlay: string | null = null;
  constructor(options: BrowserWindowConstructorOptions, contents: FakeContents) {
    super();
    this.options = options;
    this.webContents = contents;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
  }
  loadURL = (url: string): Promise<void> =>
    new Promise((resolve, reject) => {
      this.webContents.url = url;
      const fail = (): void => reject(new Error(`ERR_FAILED (-2) loading '${url}'`));
      this.once('closed', fail);
      if (this.closed || FakeWindow.page === 'fails') return fail();
      if (FakeWindow.page === 'hangs') return;
      this.emit('ready-to-show');
      resolve();
    });
  isDestroyed = (): boolean => this.closed;
  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  getNormalBounds = (): Bounds => this.bounds;
  maximize = (): void => {
    this.maximized = true;
  };
  minimize = (): void => {
    this.done.push('minimize');
    this.emit('minimize');
  };
  restore = (): void => void this.done.push('restore');
  show = (): void => {
    this.done.push('show');
    this.emit('show');
  };
  focus = (): void => {
    this.done.push('focus');
    this.emit('focus');
  };
  setOverlayIcon = (image: unknown, description: string): void => {
    this.overlay = image === null ? null : description;
  };
  /** The user closes the window, which may refuse. */
  close = (): void => {
    let isStopped = false;
    this.emit('close', { preventDefault: () => (isStopped = true) });
    if (!isStopped) this.destroy();
  };
  destroy = (): void => {
    if (this.closed) return;
    this.closed = true;
    this.emit('closed');
    this.webContents.emit('destroyed');
  };
}

export class FakeNotification extends EventEmitter {
  static supported = true;
  static readonly all: FakeNotification[] = [];
  /** The system's answer: an event of the notification, or nothing. */
  static answer: ['show'] | ['failed', string] | [] = ['show'];
  static activate: (details: { type: string; arguments: string; actionIndex?: number }) => void = () => undefined;
  /** Notifications of earlier runs that the system lists. */
  static history: FakeNotification[] = [];
  static readonly removed: string[] = [];
  static getHistory = async (): Promise<FakeNotification[]> => FakeNotification.history;
  static remove = (id: string): void => void FakeNotification.removed.push(id);
  static isSupported = (): boolean => FakeNotification.supported;
  static handleActivation = (callback: typeof FakeNotification.activate): void => {
    FakeNotification.activate = callback;
  };
  static reset(): void {
    FakeNotification.supported = true;
    FakeNotification.answer = ['show'];
    FakeNotification.all.length = 0;
    FakeNotification.history = [];
    FakeNotification.removed.length = 0;
  }
  readonly id: string;
  readonly options: NotificationConstructorOptions;
  closed = false;
  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
    this.id = options.id ?? '';
    FakeNotification.all.push(this);
  }
  show = (): void => {
    const [event, problem] = FakeNotification.answer;
    if (event !== undefined) queueMicrotask(() => this.emit(event, {}, problem));
  };
  close = (): void => {
    this.closed = true;
    this.emit('close', { reason: 'applicationHidden' });
  };
}

/** A picture that remembers its source; its bitmap is one pixel. */
export class FakeImage {
  readonly operations: unknown[] = [];
  isTemplate = false;
  crop = (rectangle: object): FakeImage => {
    const cut = new FakeImage();
    cut.operations.push(rectangle);
    return cut;
  };
  toBitmap = (): Buffer => Buffer.from([1, 2, 3, 255]);
  addRepresentation = (options: object): void => void this.operations.push(options);
  setTemplateImage = (isTemplate: boolean): void => {
    this.isTemplate = isTemplate;
  };
}

export class FakeTray extends EventEmitter {
  static readonly all: FakeTray[] = [];
  image: FakeImage;
  toolTip = '';
  title = '';
  menu: MenuItemConstructorOptions[] = [];
  destroyed = false;
  constructor(image: FakeImage) {
    super();
    this.image = image;
    FakeTray.all.push(this);
  }
  setImage = (image: FakeImage): void => {
    this.image = image;
  };
  setToolTip = (toolTip: string): void => {
    this.toolTip = toolTip;
  };
  setTitle = (title: string): void => {
    this.title = title;
  };
  setContextMenu = (menu: MenuItemConstructorOptions[]): void => {
    this.menu = menu;
  };
  destroy = (): void => {
    this.destroyed = true;
  };
}

type FakeApp = EventEmitter & {
  readonly exits: number[];
  readonly paths: Record<string, string>;
  /** Calls before the app was ready and at its end, in order. */
  readonly calls: string[];
  isPackaged: boolean;
  badge: number;
  login: object[];
  openedAtLogin: boolean;
  /** What a Mac reports when the app is ready. */
  launchInfo: object;
  /** Chromium's switches. */
  readonly switches: string[];
  quit(): void;
};

export interface FakeElectron {
  readonly module: ElectronModule;
  readonly app: FakeApp;
  readonly windows: FakeWindow[];
  readonly handlers: Map<string, Handler>;
  readonly schemes: { scheme: string; privileges?: object }[];
  readonly pages: Map<string, (request: { url: string; method: string }) => Promise<Response>>;
  readonly permissions: { request?: Handler; check?: Handler; device?: Handler };
  readonly session: EventEmitter;
  readonly power: EventEmitter;
  readonly opened: string[];
  /** Questions to the user, and the button that the user presses. */
  readonly prompts: { readonly message: string; readonly detail: string }[];
  answer: number;
  displays: { id: number; workArea: Bounds }[];
  readonly partitions: [string, object | undefined][];
  /** What the system's proxy file answers. */
  proxyOf: (url: string) => string;
}

/** @param first false: another instance of the app holds the lock */
export function createFakeElectron(first = true): FakeElectron {
  const windows: FakeWindow[] = [];
  const handlers = new Map<string, Handler>();
  const permissions: FakeElectron['permissions'] = {};
  FakeTray.all.length = 0;
  FakeNotification.reset();
  FakeWindow.page = 'loads';
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
  const app = createFakeApp(first, windows);
  class BrowserWindow extends FakeWindow {
    static getAllWindows = (): FakeWindow[] => windows.filter(({ closed }) => !closed);
    constructor(options: BrowserWindowConstructorOptions) {
      const contents = new FakeContents(windows.length + 1);
      super(options, contents);
      windows.push(this);
      app.emit('web-contents-created', {}, contents);
      app.emit('browser-window-created', {}, this);
      this.once('closed', () => {
        if (BrowserWindow.getAllWindows().length === 0) app.emit('window-all-closed');
      });
    }
  }
  const fake: FakeElectron = {
    module: {} as ElectronModule,
    app,
    windows,
    handlers,
    schemes: [],
    pages: new Map(),
    permissions,
    session,
    power: new EventEmitter(),
    opened: [],
    prompts: [],
    answer: 0,
    displays: [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
    partitions: [],
    proxyOf: () => 'DIRECT',
  };
  const net = {
    fetch: () => Promise.reject(new Error('no network in here')),
    resolveProxy: async (url: string) => fake.proxyOf(url),
  };
  const module = {
    app,
    BrowserWindow,
    dialog: {
      showErrorBox: (message: string, detail: string) => void fake.prompts.push({ message, detail }),
      showMessageBox: async (_window: unknown, question: { message: string; detail: string }) => {
        fake.prompts.push(question);
        return { response: fake.answer };
      },
    },
    ipcMain: {
      handle: (channel: string, handler: Handler) => void handlers.set(channel, handler),
      removeHandler: (channel: string) => void handlers.delete(channel),
    },
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: () => undefined },
    nativeImage: { createFromBuffer: () => new FakeImage(), createEmpty: () => new FakeImage() },
    nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColorsForSystemIntegratedUI: true }),
    Notification: FakeNotification,
    powerMonitor: fake.power,
    protocol: {
      registerSchemesAsPrivileged(given: FakeElectron['schemes']) {
        app.calls.push('registerSchemesAsPrivileged');
        fake.schemes.push(...given);
      },
      handle: (scheme: string, handler: (request: { url: string; method: string }) => Promise<Response>) =>
        void fake.pages.set(scheme, handler),
    },
    screen: { getAllDisplays: () => fake.displays, getPrimaryDisplay: () => fake.displays[0] },
    session: {
      defaultSession: session,
      fromPartition: (name: string, options?: object) => {
        fake.partitions.push([name, options]);
        return net;
      },
    },
    shell: {
      openExternal: async (url: string) => void fake.opened.push(url),
      openPath: async (path: string) => {
        fake.opened.push(path);
        return '';
      },
    },
    Tray: FakeTray,
  };
  return Object.assign(fake, { module: module as unknown as ElectronModule });
}

function createFakeApp(first: boolean, windows: readonly FakeWindow[]): FakeApp {
  const app: FakeApp & { readonly commandLine: object } = Object.assign(new EventEmitter(), {
    exits: [] as number[],
    paths: {} as Record<string, string>,
    calls: [] as string[],
    isPackaged: false,
    badge: 0,
    login: [] as object[],
    openedAtLogin: false,
    launchInfo: {},
    switches: [] as string[],
    commandLine: { hasSwitch: (name: string): boolean => app.switches.includes(name) },
    setPath(name: string, path: string) {
      this.paths[name] = path;
    },
    getVersion: () => '0.1.0',
    requestSingleInstanceLock(given: object) {
      this.calls.push(`lock ${JSON.stringify(given)}`);
      return first;
    },
    releaseSingleInstanceLock() {
      this.calls.push('releaseSingleInstanceLock');
    },
    setAppUserModelId(id: string) {
      this.calls.push(`setAppUserModelId ${id}`);
    },
    setToastActivatorCLSID(id: string) {
      this.calls.push(`setToastActivatorCLSID ${id}`);
    },
    setAsDefaultProtocolClient(scheme: string) {
      this.calls.push(`setAsDefaultProtocolClient ${scheme}`);
      return true;
    },
    enableSandbox() {
      this.calls.push('enableSandbox');
    },
    whenReady() {
      this.calls.push('whenReady');
      app.emit('ready', {}, app.launchInfo);
      return Promise.resolve();
    },
    setBadgeCount(count: number) {
      this.badge = count;
      return true;
    },
    getLoginItemSettings() {
      return { wasOpenedAtLogin: this.openedAtLogin, openAtLogin: this.login.length > 0 };
    },
    setLoginItemSettings(settings: object) {
      this.login.push(settings);
    },
    exit(code: number) {
      this.exits.push(code);
    },
    quit(this: EventEmitter) {
      this.emit('before-quit', {});
      for (const window of windows) if (!window.closed) window.close();
      this.emit('will-quit', { preventDefault: () => undefined });
    },
  });
  return app;
}
