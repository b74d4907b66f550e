// Main, Electron shell: the port by which windows ask about the program itself: login, tray, updates, and what went wrong with it in this run.
import type { ShellFace, ShellWish, Switch } from '../../shared/channels/shell.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { refuse, type ShellPort } from '../core/host/shell-port.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { ShellSettings } from '../core/profiles/settings.ts';
import type { LoginItem } from './login-item.ts';
import type { Updates } from './updates.ts';

export interface DesktopShell extends ShellPort {
  settings(): ShellSettings;
  /** Whether to go on in the tray, as the user answered. */
  closeToTray(on: boolean): void;
  /** Something went wrong with the program itself. */
  trouble(words: string): void;
  changed(): void;
}

export interface DesktopShellParts {
  readonly version: string;
  readonly clock: Clock;
  readonly settings: SettingsStore;
  readonly login: LoginItem;
  /** A tray is known to exist. */
  readonly hasTray: boolean;
  readonly platform: NodeJS.Platform;
  readonly updates: () => Updates;
}

const TROUBLES_KEPT = 20;
const UNASKED: ShellSettings = { closeToTray: null, lookForUpdates: false };

export function createDesktopShell({
  version,
  clock,
  settings,
  login,
  hasTray,
  platform,
  updates,
}: DesktopShellParts): DesktopShell {
  const listeners = new Set<() => void>();
  let troubles: ShellFace['troubles'] = [];
  const changed = (): void => {
    for (const tell of listeners) tell();
  };
  const read = (): ShellSettings => settings.read().shell ?? UNASKED;
  const write = (change: Partial<ShellSettings>): void =>
    settings.write({ ...settings.read(), shell: { ...read(), ...change } });
  const can = (obstacle: string | null, on: () => boolean): Switch =>
    obstacle === null ? { can: true, on: on() } : { can: false, why: obstacle };
  const trayObstacle = (): string | null => {
    if (platform === 'darwin') return 'On a Mac it goes on in the dock.';
    return hasTray ? null : 'This desktop shows no tray icons. Watching goes on as long as a window is open.';
  };
  const trouble = (words: string): void => {
    troubles = [{ at: timestamp(clock.now()), words }, ...troubles].slice(0, TROUBLES_KEPT);
    changed();
  };
  const demand = (obstacle: string | null): void => {
    if (obstacle !== null) throw refuse(obstacle);
  };

  return {
    settings: read,
    changed,
    closeToTray(on) {
      try {
        write({ closeToTray: on });
      } catch (thrown) {
        trouble(`What you chose for the tray could not be kept: ${messageOf(thrown)}`);
      }
      changed();
    },
    trouble,
    read: () => ({
      kind: 'desktop',
      version,
      start_at_login: can(login.obstacle, login.isOn),
      close_to_tray: can(trayObstacle(), () => read().closeToTray === true),
      look_for_updates: can(updates().obstacle, () => read().lookForUpdates),
      update: updates().face(),
      troubles,
    }),
    async save({ start_at_login: start, close_to_tray: tray, look_for_updates: look }: ShellWish) {
      // All or nothing: what cannot be had is refused before anything is written.
      if (start !== undefined) demand(login.obstacle);
      if (tray !== undefined) demand(trayObstacle());
      if (look !== undefined) demand(updates().obstacle);
      if (start !== undefined)
        try {
          login.set(start);
        } catch (thrown) {
          throw refuse(`This system did not take it: ${messageOf(thrown)}`);
        }
      if (tray !== undefined) write({ closeToTray: tray });
      if (look !== undefined) write({ lookForUpdates: look });
      changed();
      if (look === true) void updates().look();
    },
    async update(act) {
      if (act === 'look') await updates().look();
      else updates().install();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
