// Main, Electron shell: starts the app at login, without a window.
// Windows and macOS keep the list themselves; on Linux it is an autostart file.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { type Message, message } from '../../shared/text/message.ts';
import { replaceFile } from '../core/files/private-file.ts';

/** Marks a start at login. */
const HIDDEN_FLAG = '--hidden';

export interface LoginItem {
  /** Why the app cannot start at login here; null where it can. */
  readonly unavailableReason: Message | null;
  isOn(): boolean;
  set(on: boolean): void;
}

export interface LoginItemDeps {
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings' | 'isPackaged'>;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** The program that runs. */
  readonly execPath: string;
}

export function createLoginItem({ app, platform, environment, execPath }: LoginItemDeps): LoginItem {
  if (!app.isPackaged)
    return {
      unavailableReason: message('shell.login_not_installed'),
      isOn: () => false,
      set: () => undefined,
    };
  if (platform === 'linux') return autostart(environment, environment.APPIMAGE ?? execPath);
  const args = platform === 'win32' ? { args: [HIDDEN_FLAG] } : {};
  return {
    unavailableReason: null,
    isOn: () => app.getLoginItemSettings(args).openAtLogin,
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, ...args }),
  };
}

/** An entry of the XDG Desktop Application Autostart specification. */
function autostart(environment: NodeJS.ProcessEnv, program: string): LoginItem {
  const home =
    environment.XDG_CONFIG_HOME || (environment.HOME === undefined ? null : join(environment.HOME, '.config'));
  if (home === null)
    return {
      unavailableReason: message('shell.login_no_home'),
      isOn: () => false,
      set: () => undefined,
    };
  const folder = join(home, 'autostart');
  const path = join(folder, 'app.barograph.desktop.desktop');
  return {
    unavailableReason: null,
    isOn: () => existsSync(path),
    set(on) {
      if (!on) return rmSync(path, { force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(path, autostartEntry(program));
    },
  };
}

/**
 * @param program that starts: a package's executable, or the AppImage, whose inner path changes at every
 * start
 */
export const autostartEntry = (program: string): string =>
  `[Desktop Entry]
Type=Application
Name=Barograph
Comment=Monitor for market-risk signals
Exec=${quoted(program)} ${HIDDEN_FLAG}
Icon=barograph
Terminal=false
X-GNOME-Autostart-enabled=true
`;

/**
 * Quotes a path by the Desktop Entry Specification: escapes four characters, the backslash twice because it
 * is in a string value, and doubles %.
 */
const quoted = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
