// Faults: a real notification service on a real display shows our notifications.
// It takes a screenshot: test-results/screens/notification.png.
// Skipped with a message where this machine has no Xvfb, dunst, dbus-daemon or import.

import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outageRequest, requestFor, selfTestRequest } from '../../main/core/notifications/text.ts';
import type { NotificationRequest } from '../../main/core/ports.ts';
import { createDesktopNotifier, type DesktopNotifier } from '../../main/host/desktop/desktop-notifier.ts';
import { message } from '../../shared/text/message.ts';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram } from '../harness/not-run.ts';
import { type Exit, start, TOP } from '../harness/processes.ts';

const PROGRAMS = ['Xvfb', 'dunst', 'dunstctl', 'dbus-daemon', 'import'] as const;
const why = whyNoProgram(...PROGRAMS);

/** How often the program is killed between the desktop's answer and its own record. */
const KILLS = Number(process.env.BAROGRAPH_KILLS ?? 4);

const AT = '2026-03-02T19:02:00.000Z';
const common = { environment: 'production', replay: false, profile: null, now: Date.parse(AT) } as const;
const alert = requestFor({
  ...common,
  id: 'barograph:evt_photo',
  baseRate: 12,
  zone: 'market',
  transition: {
    event_id: 'evt_photo',
    symbol: 'SPY',
    asset_class: 'etf',
    from_state: 1,
    to_state: 2,
    state_name: 'high_risk',
    regime: 'stress',
    confidence: 36,
    note: '',
    occurred_at: AT,
    model_version: '1',
  },
});

describe.skipIf(why)(`a real desktop${notRun(why)}`, () => {
  const folder = temporaryFolder();
  const ends: (() => void)[] = [];
  let environment: Record<string, string> = {};
  let notifier: DesktopNotifier;

  const begin = (program: string, args: readonly string[], stdio: SpawnOptions['stdio']) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, HOME: folder.path, ...environment },
      stdio: stdio ?? 'ignore',
    });
    ends.unshift(() => child.kill());
    return child;
  };
  /** The first line that the program prints. */
  const lineOf = (stream: NodeJS.ReadableStream | null | undefined): Promise<string> =>
    new Promise((resolve) => stream?.once('data', (line) => resolve(String(line).trim())));
  const run = (program: (typeof PROGRAMS)[number], ...args: string[]): string =>
    execFileSync(program, args, {
      env: { PATH: process.env.PATH, ...environment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const displayed = async (count: number): Promise<void> => {
    await eventually(() => expect(run('dunstctl', 'count', 'displayed')).toBe(String(count)));
  };
  /** The colours of the screen, and a screenshot. */
  const photograph = (name: string): { readonly path: string; readonly bytes: Buffer } => {
    const path = join(TOP, 'test-results', 'screens', `${name}.png`);
    mkdirSync(join(TOP, 'test-results', 'screens'), { recursive: true });
    run('import', '-window', 'root', path);
    return { path, bytes: readFileSync(path) };
  };
  const show = (request: NotificationRequest) => notifier.show({ ...request, profile: 'live' }, null);

  beforeAll(async () => {
    const screen = begin(
      'Xvfb',
      ['-displayfd', '3', '-screen', '0', '900x600x24', '-nolisten', 'tcp'],
      ['ignore', 'ignore', 'ignore', 'pipe'],
    );
    const display = `:${await lineOf(screen.stdio[3] as NodeJS.ReadableStream)}`;
    environment = { DISPLAY: display };
    const bus = begin('dbus-daemon', ['--session', '--nofork', '--print-address=1'], ['ignore', 'pipe', 'ignore']);
    environment = { ...environment, DBUS_SESSION_BUS_ADDRESS: await lineOf(bus.stdout) };
    begin('dunst', [], 'ignore');
    await displayed(0);
    notifier = await createDesktopNotifier(environment.DBUS_SESSION_BUS_ADDRESS ?? null);
  });
  afterAll(async () => {
    await notifier?.close();
    for (const end of ends) end();
    folder.remove();
  });

  test('a High Risk, a self-test and an outage are on the screen; the end of the outage replaces its notification', async () => {
    const empty = photograph('notification-none');
    const first = await show(alert);
    expect(first).toMatchObject({ tier: 'system', detail: { values: { text: expect.stringContaining('dunst') } } });
    await displayed(1);
    await show(selfTestRequest({ ...common, id: 'barograph:self-test:photo' }, 'SPY'));
    const since = Date.parse('2026-03-02T19:02:00.000Z');
    const times = { since, now: since + 120_000, length: 120_000, market: 120_000 };
    const outage = { ...common, id: 'barograph:outage:photo' };
    const lost = await notifier.show(
      {
        ...outageRequest(outage, message('outage.began', { ...times, cause: 'The service does not answer.' })),
        profile: 'live',
      },
      null,
    );
    await displayed(3);
    const full = photograph('notification');
    expect(full.bytes.equals(empty.bytes)).toBe(false);
    // A screenshot with text is larger than one of an empty screen.
    expect(statSync(full.path).size).toBeGreaterThan(4 * statSync(empty.path).size);

    await notifier.show(
      {
        ...outageRequest(outage, message('outage.ended', times)),
        profile: 'live',
      },
      lost.desktop ?? null,
    );
    await displayed(3);
    expect(photograph('notification-reconnected').bytes.equals(full.bytes)).toBe(false);
  });

  test(
    `killed between showing and writing, ${KILLS} times: each alert is on the screen once`,
    async ({ task }) => {
      task.meta.attempts = { kills: KILLS };
      // The self-test of the test above would expire while this one counts.
      run('dunstctl', 'close-all');
      await displayed(0);
      const child = (id: string, ...more: string[]): Promise<Exit> =>
        start(process.execPath, [
          'test/faults/notification-child.ts',
          environment.DBUS_SESSION_BUS_ADDRESS ?? '',
          folder.path,
          id,
          ...more,
        ]).exit;
      for (let turn = 0; turn < KILLS; turn += 1) {
        expect(await child(`barograph:evt_${turn}`, 'killed')).toEqual({ code: null, signal: 'SIGKILL' });
        expect(await child(`barograph:evt_${turn}`)).toEqual({ code: 0, signal: null });
      }
      const shown = Number(run('dunstctl', 'count', 'displayed')) + Number(run('dunstctl', 'count', 'waiting'));
      expect(shown).toBe(KILLS);
    },
    60_000 + KILLS * 12_000,
  );
});
