// Main, Electron shell: shows the worst state and the number of alerts in tray, dock and task bar.
import type { BrowserWindow, MenuItemConstructorOptions } from 'electron';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { texts } from '../../shared/text/texts.ts';
import { signOf, spokenFor, type TrayView, waitingIn } from '../core/views/tray-view.ts';
import type { Application } from '../host/application.ts';
import type { ElectronModule } from './shell-options.ts';
import type { TrayIconSpec, TrayPictures } from './tray-picture.ts';

export interface TrayDeps {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly electron: Pick<ElectronModule, 'app' | 'BrowserWindow' | 'Menu' | 'nativeTheme' | 'Tray'>;
  readonly pictures: TrayPictures;
  /** False: no tray is known to exist, and the number is shown on the dock alone. */
  readonly hasTray: boolean;
  readonly application: Pick<Application, 'trayViews' | 'onTrayChanged' | 'acknowledgeAll'>;
  /** Shows the window of the profile; null: any open window. */
  readonly open: (profile: string | null) => void;
}

/** Minimum time between two updates, ms: some panels draw an icon slowly. */
const PACE = 500;

export function createTray(deps: TrayDeps): { stop(): void } {
  const { platform, clock, pictures, application } = deps;
  const { app, Menu, nativeTheme, Tray } = deps.electron;
  let tray: InstanceType<typeof Tray> | null = null;
  let shown = '';
  let cancel: Cancel | null = null;

  const iconSpecOf = (views: readonly TrayView[]): TrayIconSpec => {
    const [gravest] = spokenFor(views);
    return {
      sign: gravest === undefined ? 'offline' : signOf(gravest),
      sandbox: gravest !== undefined && gravest.environment === 'sandbox',
      bar: barOf(deps),
      count: platform === 'darwin' ? 0 : waitingIn(views),
    };
  };
  const draw = (): void => {
    cancel = null;
    const views = application.trayViews();
    const spec = iconSpecOf(views);
    const waiting = waitingIn(views);
    const menu = trayMenu(views, deps);
    const toolTipLines = spokenFor(views).map((view) => trayText(view));
    const now = JSON.stringify([spec, waiting, toolTipLines, menu.map(({ label }) => label)]);
    if (now === shown) return;
    shown = now;
    showCount(deps, waiting);
    if (!deps.hasTray) return;
    const picture = pictures.sign(spec);
    if (platform === 'darwin') picture.setTemplateImage(true);
    if (tray === null) {
      tray = new Tray(picture);
      // Where a click opens the menu, this event does not fire or has no effect.
      tray.on('click', () => deps.open(null));
    } else tray.setImage(picture);
    tray.setToolTip(toolTipLines.length === 0 ? texts.tray.nothingWatched : toolTipLines.join('\n'));
    if (platform === 'darwin') tray.setTitle(waiting === 0 ? '' : ` ${waiting}`);
    tray.setContextMenu(Menu.buildFromTemplate(menu));
  };
  const soon = (): void => {
    cancel ??= clock.after(PACE, draw);
  };

  /** Draws again after a delay: a window has its button in the task bar only after it is shown. */
  const drawAgain = (): void => {
    shown = '';
    soon();
  };
  const followWindow = (_event: unknown, window: BrowserWindow): void => {
    for (const change of ['show', 'minimize'] as const) window.on(change as 'show', drawAgain);
  };

  const stopListening = application.onTrayChanged(soon);
  nativeTheme.on('updated', soon);
  if (platform === 'win32') app.on('browser-window-created', followWindow);
  draw();
  return {
    stop() {
      cancel?.();
      stopListening();
      app.off('browser-window-created', followWindow);
      tray?.destroy();
    },
  };
}

function barOf({ platform, electron: { nativeTheme } }: TrayDeps): TrayIconSpec['bar'] {
  // The menu bar of macOS tints the picture itself.
  if (platform === 'darwin') return 'light';
  // On Linux the theme says nothing about the panel: that of GNOME is dark under the light theme, too.
  if (platform !== 'win32') return 'unknown';
  return nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light';
}

/** Shows the number on dock or task bar. */
function showCount({ platform, electron, pictures }: TrayDeps, waiting: number): void {
  if (platform !== 'win32') electron.app.setBadgeCount(waiting);
  else
    for (const window of electron.BrowserWindow.getAllWindows())
      window.setOverlayIcon(waiting === 0 ? null : pictures.number(waiting), texts.tray.notAcknowledged(waiting));
}

/** Lists every profile with its state; production first. */
function trayMenu(views: readonly TrayView[], { application, electron, open }: TrayDeps): MenuItemConstructorOptions[] {
  const waiting = waitingIn(views);
  const spoken = spokenFor(views);
  const others = views.filter((view) => !spoken.includes(view));
  return [
    { label: texts.tray.open, click: () => open(null) },
    { type: 'separator' },
    ...[...spoken, ...others].map((view) => ({ label: profileText(view), click: () => open(view.profile) })),
    { type: 'separator' },
    {
      label: waiting === 0 ? texts.tray.nothingToAcknowledge : texts.tray.acknowledgeAll(waiting),
      enabled: waiting > 0,
      click: () => application.acknowledgeAll(spoken),
    },
    { type: 'separator' },
    { label: texts.tray.quit, click: () => electron.app.quit() },
  ];
}

/** @param timeZone IANA; absent: this computer's */
export function trayText(view: TrayView, timeZone?: string): string {
  return texts.tray.toolTip(badgesOf(view), stateText(view, timeZone));
}

/** The text of a profile, with its name in place of the product's. */
function profileText(view: TrayView): string {
  return texts.tray.profile(badgesOf(view), view.profile, stateText(view));
}

const badgesOf = ({ environment, replay }: TrayView) => ({ isSandbox: environment === 'sandbox', isReplay: replay });

function stateText(
  { outageSince, high, elevated, normal, unknown, needsAttention, isUnwritten }: TrayView,
  timeZone?: string,
): string {
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return texts.tray.state({
    offlineSince: outageSince === null ? null : time.format(outageSince),
    high,
    elevated: elevated.length,
    normal,
    unknown,
    notAcknowledged: needsAttention.length,
    isUnwritten,
  });
}
