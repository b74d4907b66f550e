// Main, Electron shell: tray, dock and task bar: the worst state, the number of alerts, a small menu.
import type { App, BrowserWindow, Menu, MenuItemConstructorOptions, NativeTheme, Tray } from 'electron';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { signOf, spokenFor, stateText, type TrayView, trayText, waitingIn } from '../core/views/tray-view.ts';
import type { TrayIconSpec, TrayPictures } from './tray-picture.ts';

export interface TrayActs {
  /** null: any open window. */
  open(profile: string | null): void;
  acknowledgeAll(views: readonly TrayView[]): void;
  quit(): void;
}

export interface TrayDeps {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly views: () => readonly TrayView[];
  readonly onViewsChanged: (listener: () => void) => Cancel;
  readonly pictures: TrayPictures;
  readonly nativeTheme: Pick<NativeTheme, 'shouldUseDarkColorsForSystemIntegratedUI' | 'on'>;
  readonly Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  /** Makes the tray's icon; null where no tray is known to exist. */
  readonly makeTray: ((picture: ReturnType<TrayPictures['sign']>) => Tray) | null;
  readonly app: Pick<App, 'setBadgeCount'>;
  readonly windows: () => readonly BrowserWindow[];
  readonly acts: TrayActs;
}

/** Minimum time between two updates, ms: some panels draw an icon slowly. */
const PACE = 500;

export function createTray(deps: TrayDeps): { stop(): void } {
  const { platform, clock, pictures, nativeTheme, acts } = deps;
  let tray: Tray | null = null;
  let shown = '';
  let cancel: Cancel | null = null;

  const iconSpecOf = (views: readonly TrayView[]): TrayIconSpec => {
    const [gravest] = spokenFor(views);
    return {
      sign: gravest === undefined ? 'offline' : signOf(gravest),
      sandbox: gravest !== undefined && gravest.environment === 'sandbox',
      // A Mac's menu bar tints the picture itself.
      bar: platform === 'darwin' || !nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'light' : 'dark',
      count: platform === 'darwin' ? 0 : waitingIn(views),
    };
  };
  const draw = (): void => {
    cancel = null;
    const views = deps.views();
    const spec = iconSpecOf(views);
    const waiting = waitingIn(views);
    const menu = trayMenu(views, acts);
    const toolTipLines = spokenFor(views).map((view) => trayText(view));
    const now = JSON.stringify([spec, waiting, toolTipLines, menu.map(({ label }) => label)]);
    if (now === shown) return;
    shown = now;
    showCount(deps, waiting);
    if (deps.makeTray === null) return;
    const picture = pictures.sign(spec);
    if (platform === 'darwin') picture.setTemplateImage(true);
    if (tray === null) {
      tray = deps.makeTray(picture);
      // Where a click opens the menu, this event does not fire or has no effect.
      tray.on('click', () => acts.open(null));
    } else tray.setImage(picture);
    tray.setToolTip(toolTipLines.length === 0 ? 'Barograph: nothing is watched' : toolTipLines.join('\n'));
    if (platform === 'darwin') tray.setTitle(waiting === 0 ? '' : ` ${waiting}`);
    tray.setContextMenu(deps.Menu.buildFromTemplate(menu));
  };
  const soon = (): void => {
    cancel ??= clock.after(PACE, draw);
  };

  const stopListening = deps.onViewsChanged(soon);
  nativeTheme.on('updated', soon);
  draw();
  return {
    stop() {
      cancel?.();
      stopListening();
      tray?.destroy();
    },
  };
}

/** The number on dock or task bar. */
function showCount({ platform, app, windows, pictures }: TrayDeps, waiting: number): void {
  if (platform !== 'win32') app.setBadgeCount(waiting);
  else
    for (const window of windows())
      window.setOverlayIcon(waiting === 0 ? null : pictures.number(waiting), countLabel(waiting));
}

const countLabel = (waiting: number): string => (waiting === 0 ? '' : `${waiting} not acknowledged`);

/** Every profile with its state; production first. */
function trayMenu(views: readonly TrayView[], acts: TrayActs): MenuItemConstructorOptions[] {
  const waiting = waitingIn(views);
  const spoken = spokenFor(views);
  const others = views.filter((view) => !spoken.includes(view));
  return [
    { label: 'Open Barograph', click: () => acts.open(null) },
    { type: 'separator' },
    ...[...spoken, ...others].map((view) => ({ label: profileLabel(view), click: () => acts.open(view.profile) })),
    { type: 'separator' },
    {
      label: waiting === 0 ? 'Nothing to acknowledge' : `Acknowledge all (${waiting})`,
      enabled: waiting > 0,
      click: () => acts.acknowledgeAll(spoken),
    },
    { type: 'separator' },
    { label: 'Quit Barograph', click: () => acts.quit() },
  ];
}

const profileLabel = (view: TrayView): string =>
  `${view.environment === 'sandbox' ? '[SANDBOX] ' : ''}${view.replay ? '[REPLAY] ' : ''}${view.profile}: ${stateText(view)}`;
