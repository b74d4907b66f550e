// Test: the browser shell tells its windows how far the download of Electron is.
import { expect, test } from 'vitest';
import { ShellViewSchema } from '../../shared/channels/shell.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { createBareShell } from './shell-port.ts';

test('windows see the download of Electron, and each change of it, until they are closed', () => {
  let status: Message = message('electron.connecting', { version: '45.0.0' });
  const listeners = new Set<() => void>();
  const shell = createBareShell('1.0.0', {
    status: () => status,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const seen: unknown[] = [ShellViewSchema.parse(shell.read()).electron];
  const stop = shell.onChange(() => seen.push(ShellViewSchema.parse(shell.read()).electron));
  status = message('electron.loading', { version: '45.0.0', received: 1, total: null, rate: 0 });
  for (const listener of listeners) listener();
  expect(seen).toEqual([message('electron.connecting', { version: '45.0.0' }), status]);
  stop();
  expect(listeners.size).toBe(0);
  expect(createBareShell('1.0.0', null).read().electron).toBeNull();
});
