// Faults: a service that sends events of 4 MB, and events that cannot be read, to a running app.
// Real processes on a session bus of their own. Skipped where this machine has no dbus-daemon.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askForWindow } from '../../main/host/app-client.ts';
import { LOG_NAME } from '../../main/host/log-file.ts';
import { readRunFile } from '../../main/host/run-file.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { barograph, type RunningApp, startApp } from '../harness/app.ts';
import { eventually } from '../harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { openLink } from '../harness/link.ts';
import { notRun, whyNoProgram, whyNotLinux } from '../harness/not-run.ts';
import { type RunningProcess, start } from '../harness/processes.ts';
import { startWireServer, type WireServer } from '../harness/wire-server.ts';

const DAEMON = 'dbus-daemon';
const LARGE = 'x'.repeat(4 * 1024 * 1024);
const EVENTS = 80;
/**
 * Most memory of the app at any time, MB. It takes 150 without such events and 390 with them; one that kept them would
 * take 320 more.
 */
const MAX_MEMORY = 550;

const why = whyNotLinux ?? whyNoProgram(DAEMON);
describe.skipIf(why)(`an app in a process of its own${notRun(why)}`, () => {
  let folder: TemporaryFolder;
  let dataDir = '';
  let wire: WireServer;
  let bus: RunningProcess;
  let desktop: RunningProcess;
  let app: RunningApp;
  let address = '';

  const openApp = async (imported?: string): Promise<void> => {
    app = await startApp({
      dataDir,
      profile: 'remote',
      key: wire.service.key,
      bus: address,
      ...(imported === undefined ? {} : { imported }),
    });
  };
  const shown = (text: string): string[] => desktop.printed().match(new RegExp(`^shown .*${text}.*$`, 'gm')) ?? [];
  /** The snapshot of a new window. */
  const snapshot = async () => {
    const run = readRunFile(dataDir);
    const url = run === null ? null : await askForWindow(run, 'remote');
    const link = await openLink(url ?? '');
    try {
      return await link.call('state.snapshot');
    } finally {
      link.close();
    }
  };
  /** From the ledger itself: a window for each look would load the app that is measured. */
  const eventCount = (): unknown => {
    const db = new Database(join(dataDir, 'profiles', 'remote', 'ledger.sqlite'), { readonly: true });
    try {
      return db.prepare('SELECT count(*) FROM events').pluck().get();
    } finally {
      db.close();
    }
  };
  const peakMemory = (): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${app.process.pid}/status`, 'utf8'))?.[1]) / 1024;

  beforeEach(async () => {
    folder = temporaryFolder();
    dataDir = join(folder.path, 'data');
    bus = start(DAEMON, ['--session', '--nofork', '--print-address=1']);
    [address = ''] = await bus.line(/^unix:.*$/);
    desktop = start(process.execPath, ['test/faults/desktop-child.ts', address]);
    await desktop.line(/^ready$/);
    wire = await startWireServer();
    await barograph('profiles', 'add', 'remote', '--env', 'sandbox', '--url', wire.url, '--data-dir', dataDir);
    await barograph('profiles', 'remove', 'sandbox', '--data-dir', dataDir);
    await openApp();
    wire.service.emit('SPY', 2);
    await eventually(() => expect(shown('SPY is High Risk')).toHaveLength(1));
  }, 180_000);
  afterEach(async () => {
    await app?.process.kill();
    await wire?.close();
    await desktop?.kill();
    await bus?.kill();
    folder?.remove();
  });

  test(`${EVENTS} events of 4 MB, live and by the list: it lives, every window opens, and the next High Risk is notified`, async () => {
    for (let count = 0; count < EVENTS; count += 1) {
      // Every second one only the list has.
      wire.service.deaf = true;
      const event = wire.service.emit('ZZZ', count % 2 === 0 ? 1 : 2, {
        at: new Date(Date.now() + count * 1_000 - EVENTS * 1_000).toISOString(),
      });
      Object.assign(event.data, { note: LARGE });
      wire.service.deaf = false;
      if (count % 2 === 0) wire.service.write(encodeEvent(event));
      if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    wire.service.cut();
    // Half of them come by pages of one event.
    await eventually(() => expect(eventCount()).toBe(EVENTS + 1), 200_000);
    const windows = await Promise.all(Array.from({ length: 5 }, snapshot));
    for (const window of windows) {
      expect(window.ledger.events).toBe(EVENTS + 1);
      expect(JSON.stringify(window).length).toBeLessThan(2_000_000);
    }
    expect(
      windows[0].gaps.filter((gap: { cause: { code: string } }) => gap.cause.code === 'event.several'),
    ).toHaveLength(1);
    wire.service.emit('QQQ', 2);
    // Alone, or named in the notification of its group.
    await eventually(() => expect(shown('QQQ').length).toBeGreaterThan(0));
    expect(peakMemory()).toBeLessThan(MAX_MEMORY);
  }, 300_000);

  test('a promise that nothing handles is logged, and does not end the watch', async () => {
    await app.process.stop();
    wire.service.cut();
    await openApp("data:text/javascript,process.on('SIGUSR2', () => Promise.reject(new Error('planted')))");
    const log = (): string => readFileSync(join(dataDir, LOG_NAME), 'utf8');
    process.kill(app.process.pid, 'SIGUSR2');
    await eventually(() => expect(log()).toMatch(/planted/));
    // What the list brings after a start is notified in another way.
    await eventually(() => expect(wire.service.streams()).toBe(1));
    wire.service.emit('QQQ', 2);
    // Alone, or named in the notification of its group.
    await eventually(() => expect(shown('QQQ').length).toBeGreaterThan(0));
  }, 180_000);
});
