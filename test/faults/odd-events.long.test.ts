// Faults: a service that sends events of 4 MB, and events that cannot be read, to a running app.
// Real processes on a session bus of their own. Skipped where this machine has no dbus-daemon.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
import { type RunningProcess, start } from '../harness/processes.ts';
import { startWireServer, type WireServer } from '../harness/wire-server.ts';

const DAEMON = 'dbus-daemon';
const LARGE = 'x'.repeat(4 * 1024 * 1024);
const EVENTS = 200;
/** Most memory of the app at any time, MB. An app without such events takes 150. */
const MAX_MEMORY = 700;

describe.skipIf(!has(DAEMON))('an app in a process of its own', () => {
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

  test('200 events of 4 MB, live and by the list: it lives, every window opens, and the next High Risk is notified', async () => {
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
    // 800 MB by pages of 4: half a minute on an idle machine.
    // Half of them, 400 MB, come by pages of one event: half a minute on an idle machine, three beside busy programs.
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
    await eventually(() => expect(shown('QQQ is High Risk')).toHaveLength(1));
    expect(peakMemory()).toBeLessThan(MAX_MEMORY);
  }, 300_000);

  test('a ledger that has 200 events of 4 MB from before: every window opens', async () => {
    await app.process.stop();
    const db = new Database(join(dataDir, 'profiles', 'remote', 'ledger.sqlite'));
    const put = db.prepare(
      `INSERT INTO events (event_id, log, event, symbol, to_state, occurred_s, duplicate_index, received_ms, sources, body, asset_class, from_state, state_name, note, occurred_ms)
       VALUES (?, 1, 'signal.high_risk', 'SPY', 2, ?, 0, ?, 'stream', ?, 'etf', 1, 'high_risk', ?, ?)`,
    );
    for (let count = 0; count < EVENTS; count += 1) {
      const at = Date.now() - 86_400_000 + count * 1_000;
      put.run(`old_${count}`, Math.floor(at / 1_000), at, LARGE, LARGE, at);
    }
    // As version 7 had it.
    db.exec(`DROP TABLE removed_events; DROP INDEX aliases_event; DROP INDEX events_high;
      ALTER TABLE events DROP COLUMN confidence_of; DELETE FROM metadata WHERE name = 'open_after';
      ALTER TABLE notifications DROP COLUMN revision; ALTER TABLE notifications DROP COLUMN taken_revision;
      ALTER TABLE notifications DROP COLUMN grown_ms; DROP TABLE price_states; DROP INDEX events_crossings;
      DROP INDEX events_crossings_rule; ALTER TABLE mutes RENAME COLUMN matchers TO symbols; DROP TABLE symbol_notes;
      ALTER TABLE events DROP COLUMN in_question; DROP INDEX events_time`);
    db.pragma('user_version = 7');
    db.close();
    await openApp();
    const windows = await Promise.all(Array.from({ length: 3 }, snapshot));
    for (const window of windows) {
      expect(window.alerts).toHaveLength(EVENTS);
      expect(JSON.stringify(window).length).toBeLessThan(2_000_000);
    }
    wire.service.emit('QQQ', 2);
    await eventually(() => expect(shown('QQQ is High Risk')).toHaveLength(1));
    expect(peakMemory()).toBeLessThan(MAX_MEMORY);
  }, 300_000);

  test('a High Risk of an unknown symbol, an id used again: on the desktop, in the window, and in doctor', async () => {
    wire.service.deaf = true;
    const unknown = wire.service.emit('QQQ', 2);
    Object.assign(unknown.data, { symbol: 'B?K', note: 'Broke its low.' });
    const reused = wire.service.emit('IWM', 2, { id: wire.service.log[0]?.event_id ?? '' });
    wire.service.deaf = false;
    wire.service.write(encodeEvent(unknown) + encodeEvent(reused));
    // They may be one notification: they are of one instant.
    await eventually(() => expect(shown('High Risk of an unknown symbol.*Broke its low').length).toBeGreaterThan(0));
    await eventually(() => expect(shown('IWM').length).toBeGreaterThan(0));
    const { gaps } = await snapshot();
    expect(gaps.map((gap: { cause: { code: string } }) => gap.cause.code)).toEqual(
      expect.arrayContaining(['event.no_symbol', 'event.reused']),
    );
    const said = await barograph('doctor', '--data-dir', dataDir).catch(String);
    expect(said).toContain('names no symbol that can be read ("B?K")');
    expect(said).toContain('again, for another event');
  }, 180_000);

  test('a promise that nothing handles is logged, and does not end the watch', async () => {
    await app.process.stop();
    await openApp("data:text/javascript,process.on('SIGUSR2', () => Promise.reject(new Error('planted')))");
    const log = (): string => readFileSync(join(dataDir, LOG_NAME), 'utf8');
    process.kill(app.process.pid, 'SIGUSR2');
    await eventually(() => expect(log()).toMatch(/planted/));
    wire.service.emit('QQQ', 2);
    await eventually(() => expect(shown('QQQ is High Risk')).toHaveLength(1));
  }, 180_000);
});

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return existsSync('/proc/self/status');
  } catch {
    return false;
  }
}
