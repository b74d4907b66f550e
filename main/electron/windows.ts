// Main, Electron shell: the windows: one or more per profile, their positions, routes and crashes.
import type { BrowserWindow, Screen } from 'electron';
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { createRoutedCore, type RoutedCore } from '../host/routed-core.ts';
import { fitBounds } from './bounds.ts';
import type { IpcLink } from './ipc-link.ts';
import type { LayoutFile, WindowState } from './layout.ts';
import { bringUp, openPage, windowOptions } from './window.ts';

export interface Windows {
  /**
   * Shows the window of the profile, or opens one, and sends it to the route.
   * @returns false where the profile does not run here
   */
  open(profile: string, route?: WindowRoute | null): Promise<boolean>;
  /** One more window of the profile. */
  another(profile: string): Promise<boolean>;
  /** Opens the windows of the last run, `profile` in front; else one window on it. */
  restore(profile: string, minimized: boolean): Promise<void>;
  /** The profile of the last focused window; null where there is none. */
  front(): string | null;
  bringUp(profile: string, route?: WindowRoute | null): Promise<void>;
  count(): number;
  /** The app ends: the windows open now open again the next time. */
  end(): void;
}

export interface WindowsDeps {
  readonly BrowserWindow: new (options: ReturnType<typeof windowOptions>) => BrowserWindow;
  readonly screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>;
  readonly clock: Clock;
  readonly link: IpcLink;
  readonly core: (profile: string) => LinkedCore | null;
  readonly layout: LayoutFile;
  /** Paths of the built bridge and of the icon. */
  readonly preload: string;
  readonly icon: string;
  /** Called before the last window closes: true allows it; otherwise the close policy decides. */
  readonly mayClose: (window: BrowserWindow) => boolean;
  /** Reports an error of a window. */
  readonly onError: (message: string) => void;
}

interface OpenOptions {
  readonly route?: WindowRoute | null;
  readonly minimized?: boolean;
}

interface OpenWindow {
  readonly window: BrowserWindow;
  readonly profile: string;
  readonly routed: RoutedCore;
  crashedAt: number | null;
}

/** Moves within this time are saved once, ms. */
const SAVE_DELAY_MS = 500;
/** A second crash within this time is not followed by another reload, ms. */
const CRASH_AGAIN = 60_000;

export function createWindows(deps: WindowsDeps): Windows {
  const { clock, screen, layout } = deps;
  /** In order of focus, the last focused one last. */
  const open: OpenWindow[] = [];
  let cancelSave: Cancel | null = null;
  let isEnding = false;

  const stateOf = ({ window, profile }: OpenWindow): WindowState => ({
    profile,
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
  });
  const remember = (): void => {
    cancelSave?.();
    cancelSave = null;
    if (isEnding) return;
    layout.save(open.map(stateOf).reverse());
  };
  const rememberSoon = (): void => {
    cancelSave ??= clock.after(SAVE_DELAY_MS, remember);
  };
  const toFront = (one: OpenWindow): void => {
    open.splice(open.indexOf(one), 1);
    open.push(one);
  };

  const watchCrashes = (one: OpenWindow): void => {
    one.window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      const isAgain = one.crashedAt !== null && clock.now() - one.crashedAt < CRASH_AGAIN;
      one.crashedAt = clock.now();
      if (isAgain) {
        deps.onError(
          `The window of ${one.profile} crashed again (${reason}) and is closed. Watching goes on; open it anew.`,
        );
        one.window.destroy();
        return;
      }
      deps.onError(`The window of ${one.profile} crashed (${reason}) and was loaded again. Watching went on.`);
      one.window.webContents.reload();
    });
    one.window.on('unresponsive', () =>
      deps.onError(`The window of ${one.profile} does not answer. Watching goes on.`),
    );
  };

  const make = async (
    profile: string,
    core: LinkedCore,
    before: WindowState | null,
    { route = null, minimized = false }: OpenOptions = {},
  ): Promise<void> => {
    const main = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
    const bounds = fitBounds(
      [main.workArea, ...others.map(({ workArea }) => workArea)],
      before?.bounds ?? null,
      open.map(({ window }) => window.getNormalBounds()),
    );
    const window = new deps.BrowserWindow({ ...windowOptions(deps.preload, deps.icon), ...bounds });
    if (before?.maximized === true) window.maximize();
    const one: OpenWindow = { window, profile, routed: createRoutedCore(core, route), crashedAt: null };
    open.push(one);
    deps.link.attach(window.webContents, one.routed.core, () => window.destroy());
    window.on('focus', () => toFront(one));
    for (const moved of ['move', 'resize', 'maximize', 'unmaximize'] as const) window.on(moved as 'move', rememberSoon);
    window.on('close', (event) => {
      // Its position is known until it is closed.
      remember();
      if (!isEnding && open.length === 1 && !deps.mayClose(window)) event.preventDefault();
    });
    window.once('closed', () => {
      open.splice(open.indexOf(one), 1);
      if (open.length > 0) rememberSoon();
    });
    watchCrashes(one);
    await openPage(window, minimized);
  };

  const windows: Windows = {
    async open(profile, route = null) {
      const core = deps.core(profile);
      if (core === null) return false;
      const there = open.findLast((one) => one.profile === profile);
      if (there === undefined) await make(profile, core, layout.last(profile), { route });
      else {
        if (route !== null) there.routed.show(route);
        bringUp(there.window);
      }
      return true;
    },
    async another(profile) {
      const core = deps.core(profile);
      if (core === null) return false;
      await make(profile, core, layout.last(profile));
      return true;
    },
    async restore(profile, minimized) {
      // The last one opened is in front: the order of the file reversed, the requested one last of all.
      for (const before of [...layout.open].reverse()) {
        const core = before.profile === profile ? null : deps.core(before.profile);
        if (core !== null) await make(before.profile, core, before, { minimized });
      }
      const own = layout.open.filter((before) => before.profile === profile).reverse();
      const core = deps.core(profile);
      if (core === null) return;
      for (const before of own.length === 0 ? [layout.last(profile)] : own)
        await make(profile, core, before, { minimized });
    },
    front: () => open.at(-1)?.profile ?? null,
    async bringUp(profile, route = null) {
      await windows.open(open.at(-1)?.profile ?? profile, route);
    },
    count: () => open.length,
    end() {
      if (open.length > 0) remember();
      isEnding = true;
    },
  };
  return windows;
}
