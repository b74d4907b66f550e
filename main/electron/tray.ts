// Main, Electron shell: tray, dock and task bar: the sign of the gravest state, how many alerts wait, the same in words, and a small menu.
import type { App, BrowserWindow, Menu, MenuItemConstructorOptions, NativeTheme, Tray } from 'electron';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { signOf, spokenFor, stateWords, type TrayFace, trayWords, waitingIn } from '../core/state/tray-face.ts';
import type { Look, TrayPictures } from './tray-picture.ts';

export interface TrayActs {
  /** null: whichever window is there. */
  open(profile: string | null): void;
  acknowledgeAll(faces: readonly TrayFace[]): void;
  quit(): void;
}

export interface TrayParts {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly faces: () => readonly TrayFace[];
  readonly onFaces: (listener: () => void) => Cancel;
  readonly pictures: TrayPictures;
  readonly nativeTheme: Pick<NativeTheme, 'shouldUseDarkColorsForSystemIntegratedUI' | 'on'>;
  readonly Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  /** Makes the tray's icon; null where no tray is known to exist. */
  readonly makeTray: ((look: ReturnType<TrayPictures['sign']>) => Tray) | null;
  readonly app: Pick<App, 'setBadgeCount'>;
  readonly windows: () => readonly BrowserWindow[];
  readonly acts: TrayActs;
}

/** Between two changes of what it shows, ms: some panels draw an icon slowly. */
const PACE = 500;

export function createTray(parts: TrayParts): { stop(): void } {
  const { platform, clock, pictures, nativeTheme, acts } = parts;
  let tray: Tray | null = null;
  let shown = '';
  let cancel: Cancel | null = null;

  const lookOf = (faces: readonly TrayFace[]): Look => {
    const [gravest] = spokenFor(faces);
    return {
      sign: gravest === undefined ? 'blind' : signOf(gravest),
      sandbox: gravest !== undefined && gravest.environment === 'sandbox',
      // A Mac's menu bar tints the picture itself.
      bar: platform === 'darwin' || !nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'light' : 'dark',
      count: platform === 'darwin' ? 0 : waitingIn(faces),
    };
  };
  const draw = (): void => {
    cancel = null;
    const faces = parts.faces();
    const look = lookOf(faces);
    const waiting = waitingIn(faces);
    const menu = trayMenu(faces, acts);
    const words = spokenFor(faces).map((face) => trayWords(face));
    const now = JSON.stringify([look, waiting, words, menu.map(({ label }) => label)]);
    if (now === shown) return;
    shown = now;
    showCount(parts, waiting);
    if (parts.makeTray === null) return;
    const picture = pictures.sign(look);
    if (platform === 'darwin') picture.setTemplateImage(true);
    if (tray === null) {
      tray = parts.makeTray(picture);
      // Where a click opens the menu this is not told, or not heeded.
      tray.on('click', () => acts.open(null));
    } else tray.setImage(picture);
    tray.setToolTip(words.length === 0 ? 'Barograph: nothing is watched' : words.join('\n'));
    if (platform === 'darwin') tray.setTitle(waiting === 0 ? '' : ` ${waiting}`);
    tray.setContextMenu(parts.Menu.buildFromTemplate(menu));
  };
  const soon = (): void => {
    cancel ??= clock.after(PACE, draw);
  };

  const stopListening = parts.onFaces(soon);
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
function showCount({ platform, app, windows, pictures }: TrayParts, waiting: number): void {
  if (platform !== 'win32') app.setBadgeCount(waiting);
  else
    for (const window of windows())
      window.setOverlayIcon(waiting === 0 ? null : pictures.number(waiting), countWords(waiting));
}

const countWords = (waiting: number): string => (waiting === 0 ? '' : `${waiting} not acknowledged`);

/** Every profile with its state; production first. */
function trayMenu(faces: readonly TrayFace[], acts: TrayActs): MenuItemConstructorOptions[] {
  const waiting = waitingIn(faces);
  const spoken = spokenFor(faces);
  const others = faces.filter((face) => !spoken.includes(face));
  return [
    { label: 'Open Barograph', click: () => acts.open(null) },
    { type: 'separator' },
    ...[...spoken, ...others].map((face) => ({ label: profileWords(face), click: () => acts.open(face.profile) })),
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

const profileWords = (face: TrayFace): string =>
  `${face.environment === 'sandbox' ? '[SANDBOX] ' : ''}${face.replay ? '[REPLAY] ' : ''}${face.profile}: ${stateWords(face)}`;
