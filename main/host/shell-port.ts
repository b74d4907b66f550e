// Main, host: the port of the program around the windows, and its version without a desktop.
import { refused } from '../../shared/channels/channel.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { ShellChannels, ShellSettingsRequest, ShellView, Switch } from '../../shared/channels/shell.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { type Message, message } from '../../shared/text/message.ts';

export interface ShellPort {
  read(): ShellView;
  /**
   * Applies the settings.
   * @throws RefusedError where the shell does not support one
   */
  save(request: ShellSettingsRequest): Promise<void>;
  /** @throws RefusedError where no feed can be checked, or no update is ready */
  update(act: 'check' | 'install'): Promise<void>;
  onChange(listener: () => void): Cancel;
}

/** The download of the desktop application, which goes on beside the browser window. */
export interface ElectronDownload {
  status(): Message;
  onChange(listener: () => void): Cancel;
}

const NOT_HERE = message('shell.not_here');
const none: Switch = { can: false, why: NOT_HERE };

/** The shell without Electron: the same monitor without desktop features. */
export function createBareShell(version: string, electron: ElectronDownload | null): ShellPort {
  return {
    read: () => ({
      kind: 'browser',
      version,
      start_at_login: none,
      close_to_tray: none,
      check_for_updates: none,
      update: {
        status: 'unknown',
        version: null,
        message: message('update.as_installed'),
        link: null,
        checked_at: null,
      },
      electron: electron?.status() ?? null,
      errors: [],
    }),
    save: () => Promise.reject(refused(NOT_HERE)),
    update: () => Promise.reject(refused(NOT_HERE)),
    onChange: (listener) => electron?.onChange(listener) ?? (() => undefined),
  };
}

export const createShellHandlers = (shell: ShellPort): Handlers<ShellChannels> => ({
  'shell.read': () => shell.read(),
  'shell.save': async (request) => {
    await shell.save(request);
    return {};
  },
  'shell.update': async ({ act }) => {
    await shell.update(act);
    return {};
  },
});
