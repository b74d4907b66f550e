// Faults: a High Risk is shown once by a desktop that was gone, frozen or late.
// Real processes on a session bus of their own. Skipped where this machine has no dbus-daemon.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp, writeProfile } from '../harness/app.ts';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram } from '../harness/not-run.ts';
import { type RunningProcess, start } from '../harness/processes.ts';
import { CALM_START, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

const DAEMON = 'dbus-daemon';
/** A session bus that starts no service of this machine in place of a desktop that is gone. */
const BUS = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
  <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

const why = whyNoProgram(DAEMON);
const title = `with no window, a High Risk is shown once by a desktop that${notRun(why)}`;
describe.skipIf(why)(title, { tags: ['long'] }, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const desktops: RunningProcess[] = [];
  let service: RunningService;
  let bus: RunningProcess;
  let address = '';
  let app: RunningApp;

  const startDesktop = async (): Promise<RunningProcess> => {
    const desktop = start(process.execPath, ['test/faults/desktop-child.ts', address]);
    desktops.push(desktop);
    await desktop.line(/^ready$/);
    return desktop;
  };
  const openApp = async (): Promise<void> => {
    app = await startApp({ dataDir, profile: 'remote', key: TEST_KEY, bus: address });
  };
  /** Notifications that name this symbol, on all desktops so far. */
  const shown = (symbol: string): string[] =>
    desktops.flatMap((desktop) => desktop.printed().match(new RegExp(`^shown .*\\b${symbol}\\b.*$`, 'gm')) ?? []);
  /** The lines that name an event. The third within a minute joins the second. */
  const linesOf = (id: string) =>
    app.notifications().filter(({ id: own, names = [own] }) => (names as string[]).includes(`barograph:${id}`));
  const isRecorded = (id: string): boolean => linesOf(id).length > 0;
  const trigger = async (symbol: string): Promise<string> =>
    (await service.trigger('signal.high_risk', symbol)).at(-1) ?? '';
  const isShownOnce = async (symbol: string, id: string): Promise<void> => {
    await eventually(() => expect(shown(symbol)).toHaveLength(1));
    await eventually(() =>
      expect(linesOf(id).at(-1)).toMatchObject({
        outcome: 'shown',
      }),
    );
    // Long enough for a repeat.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(shown(symbol)).toHaveLength(1);
  };

  beforeAll(async () => {
    const config = join(folder.path, 'bus.conf');
    writeFileSync(config, BUS);
    bus = start(DAEMON, [`--config-file=${config}`, '--nofork', '--print-address=1']);
    [address = ''] = await bus.line(/^unix:.*$/);
    service = await startService({
      environment: 'sandbox',
      clock: CALM_START,
      key: TEST_KEY,
      symbols: 5,
      db: join(folder.path, 'service.sqlite'),
    });
    writeProfile(dataDir, 'remote', service.url);
    await openApp();
    await startDesktop();
    // The first reading of the log is the past: the tests begin after it.
    await trigger('SPX');
    await eventually(() => expect(shown('SPX')).toHaveLength(1));
  }, 180_000);
  afterAll(async () => {
    await app?.process.kill();
    await service?.process.kill();
    for (const desktop of desktops) await desktop.kill();
    await bus?.kill();
    folder.remove();
  });
  const current = (): RunningProcess => desktops.at(-1) as RunningProcess;

  test('was killed, and starts again', { timeout: 120_000 }, async () => {
    await current().kill();
    const id = await trigger('SPY');
    await eventually(() => expect(isRecorded(id)).toBe(true));
    await startDesktop();
    await isShownOnce('SPY', id);
  });

  test('is frozen, and goes on', { timeout: 120_000 }, async () => {
    process.kill(current().pid, 'SIGSTOP');
    const id = await trigger('QQQ');
    await eventually(() => expect(isRecorded(id)).toBe(true));
    process.kill(current().pid, 'SIGCONT');
    await isShownOnce('QQQ', id);
  });

  test('is up only after a restart of the app', { timeout: 180_000 }, async () => {
    await current().kill();
    const id = await trigger('DIA');
    await eventually(() => expect(isRecorded(id)).toBe(true));
    await app.process.kill();
    await openApp();
    await startDesktop();
    await isShownOnce('DIA', id);
  });
});
