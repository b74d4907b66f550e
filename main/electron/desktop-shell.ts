// Main, Electron shell: answers windows about login, tray, updates and errors of the program.
import { refused } from '../../shared/channels/channel.ts';
import type { ShellSettingsRequest, ShellView, Switch } from '../../shared/channels/shell.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { ShellSettings } from '../core/profiles/settings.ts';
import type { ShellPort } from '../host/shell-port.ts';
import type { LoginItem } from './login-item.ts';
import type { Updates } from './updates.ts';

export interface DesktopShell extends ShellPort {
  settings(): ShellSettings;
  /** Stores the user's answer whether to continue in the tray. */
  closeToTray(on: boolean): void;
  /** Reports an error of the program itself. */
  reportError(found: Message): void;
  changed(): void;
}

export interface DesktopShellDeps {
  readonly version: string;
  readonly clock: Clock;
  readonly settings: SettingsStore;
  readonly login: LoginItem;
  /** A tray is known to exist. */
  readonly hasTray: boolean;
  readonly platform: NodeJS.Platform;
  readonly updates: () => Updates;
}

const MAX_ERRORS = 20;
const DEFAULT_SHELL_SETTINGS: ShellSettings = { closeToTray: null, checkForUpdates: false };

export function createDesktopShell({
  version,
  clock,
  settings,
  login,
  hasTray,
  platform,
  updates,
}: DesktopShellDeps): DesktopShell {
  const listeners = new Set<() => void>();
  let errors: ShellView['errors'] = [];
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const read = (): ShellSettings => settings.read().shell ?? DEFAULT_SHELL_SETTINGS;
  const write = (change: Partial<ShellSettings>): void =>
    settings.change((now) => ({ ...now, shell: { ...(now.shell ?? DEFAULT_SHELL_SETTINGS), ...change } }));
  const can = (reason: Message | null, on: () => boolean): Switch =>
    reason === null ? { can: true, on: on() } : { can: false, why: reason };
  const trayUnavailableReason = (): Message | null => {
    if (platform === 'darwin') return message('shell.mac_dock');
    return hasTray ? null : message('shell.no_tray');
  };
  const reportError = (found: Message): void => {
    errors = [{ at: timestamp(clock.now()), message: found }, ...errors].slice(0, MAX_ERRORS);
    changed();
  };
  const assertAvailable = (reason: Message | null): void => {
    if (reason !== null) throw refused(reason);
  };

  return {
    settings: read,
    changed,
    closeToTray(on) {
      try {
        write({ closeToTray: on });
      } catch (error) {
        reportError(message('shell.tray_not_stored', { why: messageOf(error) }));
      }
      changed();
    },
    reportError,
    read: () => ({
      kind: 'desktop',
      version,
      start_at_login: can(login.unavailableReason, login.isOn),
      close_to_tray: can(trayUnavailableReason(), () => read().closeToTray === true),
      check_for_updates: can(updates().unavailableReason, () => read().checkForUpdates),
      update: updates().view(),
      electron: null,
      errors,
    }),
    async save({
      start_at_login: start,
      close_to_tray: tray,
      check_for_updates: checkForUpdates,
    }: ShellSettingsRequest) {
      // All or nothing: refuses an unavailable setting before it writes anything.
      if (start !== undefined) assertAvailable(login.unavailableReason);
      if (tray !== undefined) assertAvailable(trayUnavailableReason());
      if (checkForUpdates !== undefined) assertAvailable(updates().unavailableReason);
      if (start !== undefined)
        try {
          login.set(start);
        } catch (error) {
          throw refused(message('shell.login_failed', { why: messageOf(error) }));
        }
      if (tray !== undefined) write({ closeToTray: tray });
      if (checkForUpdates !== undefined) write({ checkForUpdates: checkForUpdates });
      changed();
      if (checkForUpdates === true) void updates().check();
    },
    async update(act) {
      if (act === 'check') await updates().check();
      else updates().install();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
