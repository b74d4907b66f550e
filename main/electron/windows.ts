// Main, Electron shell: the windows: one or more per profile, their positions, routes and crashes.
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { failurePage } from '../host/failure-page.ts';
import { createRoutedCore, type RoutedCore } from '../host/routed-core.ts';
import { fitBounds } from './bounds.ts';
import type { IpcLink } from './ipc-link.ts';
import type { LayoutFile, WindowState } from './layout.ts';
import type { ElectronModule, ProgramFiles } from './shell-options.ts';
import { bringUp, openPage, showWhenPainted, windowOptions } from './window.ts';

export interface Windows {
  /**
   * Shows the window of the profile, or opens one, and sends it to the route.
   * @returns false where the profile does not run here
   */
  open(profile: string, route?: WindowRoute | null): Promise<boolean>;
  /** Opens one more window of the profile. */
  another(profile: string): Promise<boolean>;
  /** Opens the windows of the last run, that of `profile` in front; without any, one window on it. */
  restore(profile: string, minimized: boolean): Promise<void>;
  /** The profile of the last focused window; null without a window. */
  front(): string | null;
  /** Shows a window of the profile; where no profile runs, a window with the reasons. */
  bringUp(profile: string, route?: WindowRoute | null): Promise<void>;
  /** Updates the window with the reasons why no profile runs, or replaces it once a profile runs. */
  refresh(): Promise<void>;
  count(): number;
  /** The app ends: the next start opens the current windows again. */
  end(): void;
}

export interface WindowsDeps {
  readonly electron: Pick<ElectronModule, 'BrowserWindow' | 'screen'>;
  readonly clock: Clock;
  readonly link: IpcLink;
  readonly profiles: RunningProfiles;
  readonly layout: LayoutFile;
  readonly program: Pick<ProgramFiles, 'built' | 'assets'>;
  /** Called before the last window closes: true allows it; otherwise the close policy decides. */
  readonly mayClose: (window: BrowserWindow) => boolean;
  /** Shows an error of a window to the user. */
  readonly reportError: (found: Message) => void;
}

export interface RunningProfiles {
  core(profile: string): LinkedCore | null;
  /** A running profile, for a window that loses its own. */
  shown(): string;
  /** Why enabled profiles do not run. */
  failures(): readonly Message[];
}

interface OpenOptions {
  readonly route?: WindowRoute | null;
  readonly minimized?: boolean;
}

interface OpenWindow {
  readonly window: BrowserWindow;
  readonly profile: string;
  readonly content: RoutedCore | FailurePage;
}

/** Moves within this time are saved once, ms. */
const SAVE_DELAY_MS = 500;
/** A second crash within this time is not followed by another reload, ms. */
const CRASH_AGAIN = 60_000;

export function createWindows(deps: WindowsDeps): Windows {
  const { layout, program } = deps;
  const list = createWindowList(deps);
  const { open } = list;
  let isRefreshing = false;

  /**
   * Replaces a window whose profile has ended or was restarted. After the end of the last profile the last
   * window is replaced too, since without any window the app may end.
   */
  const replace = async (one: OpenWindow): Promise<void> => {
    const again = deps.profiles.core(one.profile);
    try {
      if (again !== null) await make(one.profile, again, stateOf(one));
      else if (open.length === 1 && !list.isEnding()) await showAny(deps.profiles.shown(), null, stateOf(one));
    } finally {
      one.window.destroy();
    }
  };
  const make = async (
    profile: string,
    core: LinkedCore,
    before: WindowState | null,
    { route = null, minimized = false }: OpenOptions = {},
  ): Promise<void> => {
    const window = create(windowOptions(program), before);
    const routed = createRoutedCore(core, route);
    const one = { window, profile, content: routed };
    add(one);
    deps.link.attach(window.webContents, routed.core, () => void replace(one));
    await openPage(window, minimized, (why) => deps.reportError(message('window.not_loaded', { profile, why })));
  };
  const create = (options: BrowserWindowConstructorOptions, before: WindowState | null): BrowserWindow =>
    createWindow(deps.electron, options, before, open);
  const add = (one: OpenWindow): void => {
    list.add(one);
    one.window.on('close', (event) => {
      if (!list.isEnding() && open.length === 1 && !deps.mayClose(one.window)) event.preventDefault();
    });
    watchCrashes(one, deps);
  };

  const show = async (profile: string, route: WindowRoute | null = null): Promise<boolean> => {
    const core = deps.profiles.core(profile);
    if (core === null) return false;
    const there = open.findLast((one) => one.profile === profile && !isFailure(one));
    if (there === undefined) await make(profile, core, layout.last(profile), { route });
    else {
      if (route !== null && 'show' in there.content) there.content.show(route);
      bringUp(there.window);
    }
    return true;
  };
  const showAny = async (profile: string, route: WindowRoute | null, before: WindowState | null): Promise<void> => {
    if ((await show(profile, route)) || (await show(deps.profiles.shown()))) return;
    const there = open.find(isFailure);
    if (there !== undefined) return bringUp(there.window);
    const window = create(failureWindowOptions(program), before);
    add({ window, profile: before?.profile ?? profile, content: openFailurePage(window, deps.profiles.failures) });
  };

  return {
    open: show,
    async another(profile) {
      const core = deps.profiles.core(profile);
      if (core === null) return false;
      await make(profile, core, layout.last(profile));
      return true;
    },
    async restore(profile, minimized) {
      for (const { of, before } of restored(layout, profile)) {
        const core = deps.profiles.core(of);
        if (core !== null) await make(of, core, before, { minimized });
      }
    },
    front: () => open.at(-1)?.profile ?? null,
    async bringUp(profile, route = null) {
      const front = open.at(-1)?.profile ?? profile;
      await showAny(front, route, layout.last(front));
    },
    async refresh() {
      const failure = open.find(isFailure);
      if (failure === undefined || isRefreshing || list.isEnding()) return;
      const { core, shown } = deps.profiles;
      const profile = core(failure.profile) === null ? shown() : failure.profile;
      if (core(profile) === null) return failure.content.update();
      isRefreshing = true;
      try {
        await show(profile);
      } finally {
        isRefreshing = false;
        failure.window.destroy();
      }
    },
    count: () => open.length,
    end: list.end,
  };
}

/** Creates a window with the state that it had before, on a present screen and beside the open windows. */
function createWindow(
  { BrowserWindow, screen }: WindowsDeps['electron'],
  options: BrowserWindowConstructorOptions,
  before: WindowState | null,
  open: readonly OpenWindow[],
): BrowserWindow {
  const taken = open.map(({ window }) => window.getNormalBounds());
  const created = new BrowserWindow({ ...options, ...fitBounds(workAreas(screen), before?.bounds ?? null, taken) });
  if (before?.maximized === true) created.maximize();
  return created;
}

/**
 * The windows of the last run, in the order of their opening. The last is in front, so this is the order of
 * the file reversed, with the windows of the requested profile, which has at least one, at the end.
 */
function restored(layout: LayoutFile, profile: string) {
  const all = [...layout.open].reverse();
  const own: readonly (WindowState | null)[] = all.filter((before) => before.profile === profile);
  return [
    ...all.filter((before) => before.profile !== profile).map((before) => ({ of: before.profile, before })),
    ...(own.length === 0 ? [layout.last(profile)] : own).map((before) => ({ of: profile, before })),
  ];
}

const isFailure = (one: OpenWindow): one is OpenWindow & { readonly content: FailurePage } => 'update' in one.content;

interface WindowList {
  /** Open windows in order of focus, the focused one last. */
  readonly open: readonly OpenWindow[];
  /** Keeps the order of focus, and saves positions, until the window is closed. */
  add(one: OpenWindow): void;
  /** Keeps the current windows for the next start. */
  end(): void;
  isEnding(): boolean;
}

function createWindowList({ clock, layout }: Pick<WindowsDeps, 'clock' | 'layout'>): WindowList {
  const open: OpenWindow[] = [];
  let cancelSave: Cancel | null = null;
  let isEnding = false;
  const save = (): void => {
    cancelSave?.();
    cancelSave = null;
    if (isEnding) return;
    layout.save(open.map(stateOf).reverse());
  };
  const saveSoon = (): void => {
    cancelSave ??= clock.after(SAVE_DELAY_MS, save);
  };
  return {
    open,
    add(one) {
      const { window } = one;
      open.push(one);
      window.on('focus', () => {
        open.splice(open.indexOf(one), 1);
        open.push(one);
      });
      for (const moved of ['move', 'resize', 'maximize', 'unmaximize'] as const) window.on(moved as 'move', saveSoon);
      // The position is known only until the window is closed.
      window.on('close', save);
      window.once('closed', () => {
        open.splice(open.indexOf(one), 1);
        if (open.length > 0) saveSoon();
      });
    },
    end() {
      if (open.length > 0) save();
      isEnding = true;
    },
    isEnding: () => isEnding,
  };
}

const stateOf = ({ window, profile }: OpenWindow): WindowState => ({
  profile,
  bounds: window.getNormalBounds(),
  maximized: window.isMaximized(),
});

/** The primary display first. */
function workAreas(screen: WindowsDeps['electron']['screen']): [Rectangle, ...Rectangle[]] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main.workArea, ...others.map(({ workArea }) => workArea)];
}

/** Loads a crashed page once more; after a second crash soon after, closes its window. */
function watchCrashes({ window, profile }: OpenWindow, { clock, reportError }: WindowsDeps): void {
  let crashedAt: number | null = null;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const isAgain = crashedAt !== null && clock.now() - crashedAt < CRASH_AGAIN;
    crashedAt = clock.now();
    if (isAgain) {
      reportError(message('window.crashed_again', { profile, reason }));
      window.destroy();
      return;
    }
    reportError(message('window.crashed', { profile, reason }));
    window.webContents.reload();
  });
  window.on('unresponsive', () => reportError(message('window.unresponsive', { profile })));
}

/** The page needs no preload and no script. */
const failureWindowOptions = (program: Pick<ProgramFiles, 'built' | 'assets'>): BrowserWindowConstructorOptions => ({
  ...windowOptions(program),
  webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
});

interface FailurePage {
  /** Shows the current reasons, if they have changed. */
  update(): void;
}

function openFailurePage(
  window: Pick<BrowserWindow, 'loadURL' | 'once' | 'show'>,
  failures: () => readonly Message[],
): FailurePage {
  let shown = '';
  const update = (): void => {
    const address = `data:text/html;charset=utf-8,${encodeURIComponent(failurePage(failures()))}`;
    if (address === shown) return;
    shown = address;
    // Rejects where the window closes, or a later text is loaded, meanwhile.
    window.loadURL(address).catch(() => undefined);
  };
  showWhenPainted(window);
  update();
  return { update };
}
