// Faults: with a session bus that never answers, the app opens, reports its wait, and can be ended.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Profile } from '../../main/core/profiles/settings.ts';
import { startApp } from '../harness/app.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { openLink } from '../harness/link.ts';
import { notRun, whyNotLinux } from '../harness/not-run.ts';
import { saying } from '../harness/saying.ts';

let folder: TemporaryFolder;
let bus: Server;
let savedAddress: string | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
  const path = join(folder.path, 'bus');
  rmSync(path, { force: true });
  bus = createServer(() => undefined);
  await new Promise<void>((resolve) => bus.listen(path, resolve));
  savedAddress = process.env.DBUS_SESSION_BUS_ADDRESS;
  process.env.DBUS_SESSION_BUS_ADDRESS = `unix:path=${path}`;
});
afterEach(() => {
  if (savedAddress === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
  else process.env.DBUS_SESSION_BUS_ADDRESS = savedAddress;
  bus.close();
  folder.remove();
});

const isRunning = (commandLine: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(commandLine) &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder.path)
      );
    } catch {
      return false;
    }
  });

test.skipIf(whyNotLinux).for(['stop', 'kill'] as const)(
  `a keychain that hangs holds up neither the window nor the end (%s), and ends with the app${notRun(whyNotLinux)}`,
  { timeout: 60_000 },
  async (end) => {
    const deskProfile: Profile = {
      name: 'desk',
      environment: 'production',
      baseUrl: 'https://127.0.0.1:9',
      mode: 'auto',
      enabled: true,
      keys: { tier: 'keychain', saved_at: '2026-03-02T14:30:00.000Z', prefix: 'svc_live_' },
    };
    writeFileSync(
      join(folder.path, 'settings.json'),
      JSON.stringify({ ...DEFAULT_SETTINGS, vault: '0123456789ab', profiles: [deskProfile] }),
    );
    const app = await startApp({ dataDir: folder.path });
    const link = await openLink(app.url);
    const { connection } = await link.call('state.snapshot');
    expect(connection.refused).toEqual(saying(/Waiting for the key from the system/));
    expect(isRunning('keychain-process')).toBe(true);
    link.close();
    // The keychain never answers.
    const { code } = await app.process[end]();
    if (end === 'stop') expect(code, app.process.printed()).toBe(0);
    await expect.poll(() => isRunning('keychain-process')).toBe(false);
  },
);
