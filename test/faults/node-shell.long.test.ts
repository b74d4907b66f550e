// Faults: the Node shell as processes: one app per folder, private files, kill -9, SIGTERM.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRunFile } from '../../main/host/run-file.ts';
import { SELF_TEST_STEPS } from '../../shared/channels/self-test.ts';
import { barograph, type RunningApp, startApp } from '../harness/app.ts';
import { type FakeBus, type FakeDesktop, startBus, startDesktop } from '../harness/fake-desktop.ts';
import { openLink } from '../harness/link.ts';
import { type Exit, nodeScript, start } from '../harness/processes.ts';

/** In the form of a real key; no file may hold it afterwards. */
const KEY = 'svc_live_plantedplantedplanted0001';
let folder: string;
let data: string;
let app: RunningApp;
let bus: FakeBus;
let desktop: FakeDesktop;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-shell-'));
  data = join(folder, 'data');
  // An existing folder, open to other users.
  mkdirSync(data, { mode: 0o755 });
  bus = await startBus(join(folder, 'bus'));
  desktop = await startDesktop(bus.address, ['body-markup', 'actions']);
  app = await startApp({ dataDir: data, key: KEY, bus: bus.address });
});
afterAll(async () => {
  await app.process.kill();
  await desktop.close();
  await bus.close();
  rmSync(folder, { recursive: true, force: true });
});

interface InboxEntry {
  readonly alert: { readonly transition: { readonly event_id: string } };
}
interface DispatchRecord {
  readonly desktop: { readonly number: number };
}
interface RunResult extends Exit {
  readonly printed: string;
}
async function run(script: 'start' | 'barograph', ...args: string[]): Promise<RunResult> {
  const child = start(process.execPath, [...nodeScript(script), ...args], { DBUS_SESSION_BUS_ADDRESS: bus.address });
  const exit = await child.exit;
  return { ...exit, printed: child.printed() };
}

const origin = (url: string): string => new URL(url).origin;
const trade = async (address: string): Promise<number> => {
  const token = new URL(address).hash.slice('#t='.length);
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${origin(address)}/session`, { method: 'POST', headers, body: JSON.stringify({ token }) }))
    .status;
};
const filesBelow = (path: string): { path: string; mode: string; isFolder: boolean }[] =>
  readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
    const whole = join(entry.parentPath, entry.name);
    return { path: whole, mode: (statSync(whole).mode & 0o777).toString(8), isFolder: entry.isDirectory() };
  });

test('the address of the app is alone on its line, and its token opens one window', async () => {
  expect(app.process.printed()).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/m);
  expect(await trade(app.url)).toBe(200);
  expect(await trade(app.url)).toBe(401);
});

test('no other user can read the files of an app', () => {
  expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
  const wrong = filesBelow(data).filter(({ mode, isFolder }) => mode !== (isFolder ? '700' : '600'));
  expect(wrong).toEqual([]);
});

test('a second start opens a window of the first and ends with 0', async () => {
  const second = await run('start', '--shell', 'node', '--no-open', '--data-dir', data);
  expect(second).toMatchObject({ code: 0 });
  const [, address = ''] = /^ready (\S+)$/m.exec(second.printed) ?? [];
  expect(origin(address)).toBe(origin(app.url));
  expect(await trade(address)).toBe(200);
});

test('a second start for an unknown profile is refused, and the first app runs on', async () => {
  const second = await run('start', '--shell', 'node', '--no-open', '--data-dir', data, '--profile', 'nobody');
  expect(second.code, second.printed).toBe(2);
  expect(second.printed.trim().split('\n')).toEqual([
    'npm start: --profile nobody: there is no such profile. Profiles: sandbox.',
  ]);
  expect((await fetch(origin(app.url))).status).toBe(200);
});

test('`barograph open` prints another address of the running app, which opens a window', async () => {
  const printed = await barograph('open', '--no-open', '--data-dir', data);
  expect(await trade(printed.replace('ready ', '').trim())).toBe(200);
});

test('`trigger` finds the running sandbox; the transition is dispatched to the desktop, and is a line of notifications.jsonl', async () => {
  const printed = await barograph('trigger', 'signal.high_risk', '--symbol', 'spy', '--data-dir', data);
  const events = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ event: 'signal.high_risk', data: { symbol: 'SPY' } });
  await expect
    .poll(() => app.notifications().map(({ id }) => id))
    .toContainEqual(expect.stringContaining(events.at(-1).event_id));
  const line = app.notifications().at(-1);
  expect(line).toMatchObject({
    profile: 'sandbox',
    tier: 'system',
    outcome: 'shown',
    title: expect.stringContaining('SPY'),
  });
  expect(desktop.shown.at(-1)).toMatchObject({ app: 'Barograph', replaces: 0, title: line?.title });
});

test('a click on the notification opens its alert; its button acknowledges, once', async () => {
  const printed = await barograph('open', '--no-open', '--data-dir', data);
  const link = await openLink(printed.replace('ready ', '').trim());
  const alertOf = async (symbol: string, eventId: string) =>
    (await link.call('alerts.read', { symbol })).rows.find(
      ({ alert }: InboxEntry) => alert.transition.event_id === eventId,
    ).alert;
  const stepsOf = async (symbol: string, eventId: string): Promise<string[]> => {
    const { ledger_id } = await alertOf(symbol, eventId);
    return (await link.call('alerts.trace', { ledger_id })).steps.map(({ step }: { step: string }) => step);
  };
  /** @returns the triggered event, and the desktop's number of its notification */
  const triggerAlert = async (symbol: string): Promise<{ eventId: string; number: number }> => {
    const said = await barograph('trigger', 'signal.high_risk', '--symbol', symbol, '--data-dir', data);
    const eventId: string = JSON.parse(said.trim().split('\n').at(-1) ?? '').event_id;
    const line = () =>
      app.notifications().find(({ id, names = [id] }) => (names as string[]).includes(`barograph:${eventId}`));
    await expect.poll(line).toMatchObject({ desktop: { number: expect.any(Number) } });
    // The line is written before the core knows: until then an answer is about what the notification named before.
    await expect.poll(() => stepsOf(symbol, eventId)).toContain('answered');
    return { eventId, number: (line() as unknown as DispatchRecord).desktop.number };
  };
  try {
    const { alerts } = await link.call('state.snapshot');
    // Nothing joins what was acknowledged, so the next alert is alone.
    const earlier = alerts.map(({ ledger_id: id }: { ledger_id: number }) => id);
    await link.call('alerts.acknowledge', { ledger_ids: earlier, acknowledged: true });
    const first = await triggerAlert('QQQ');
    desktop.press(first.number, 'default');
    const { ledger_id: ledgerId } = await alertOf('QQQ', first.eventId);
    await expect
      .poll(() => link.received())
      .toContain(`{"name":"route.requested","payload":{"page":"alerts","item":"${ledgerId}"}}`);
    // When a desktop reports an answer twice, the second one is ignored.
    desktop.press(first.number, 'acknowledge');
    const second = await triggerAlert('IWM');
    expect(second.number).toBe(first.number);
    expect((await alertOf('QQQ', first.eventId)).acked_at).toBeNull();
    // It has answers of its own again, and they are about all that it names.
    desktop.press(second.number, 'acknowledge');
    await expect.poll(async () => (await alertOf('IWM', second.eventId)).acked_at).not.toBeNull();
    expect((await alertOf('QQQ', first.eventId)).acked_at).not.toBeNull();
  } finally {
    link.close();
  }
});

test('a self-test passes every step: service, stream, webhook, ledger, rules, desktop, acknowledgement', async () => {
  const printed = await barograph('open', '--no-open', '--data-dir', data);
  const link = await openLink(printed.replace('ready ', '').trim());
  try {
    await expect.poll(async () => (await link.call('relay.read')).registration.state).toBe('registered');
    await link.call('selfTest.run');
    const outcomes = async () =>
      (await link.call('selfTest.read')).last.steps.map((step: { step: string; outcome: string }) => [
        step.step,
        step.outcome,
      ]);
    await expect.poll(outcomes).toContainEqual(['shown', 'passed']);
    await link.call('selfTest.acknowledge');
    expect(await outcomes()).toEqual(SELF_TEST_STEPS.map((step) => [step, 'passed']));
    expect((await link.call('selfTest.read')).last).toMatchObject({
      message: { code: 'self_test.passed' },
      ended_at: expect.any(String),
    });
  } finally {
    link.close();
  }
  expect(desktop.shown.filter(({ title }) => title === '[SANDBOX] Self-test: this is only a test')).toHaveLength(1);
});

test('after kill -9 nothing stops the next start or misleads a verb', {}, async () => {
  const before = app.notifications();
  await app.process.kill();
  expect(readRunFile(data)).toBeNull();
  const orphan = await run('barograph', 'trigger', 'signal.high_risk', '--symbol', 'SPY', '--data-dir', data);
  expect(orphan.code, orphan.printed).toBe(2);
  expect(orphan.printed).toMatch(
    /^barograph: No app with a sandbox runs in .+\. Start it with npm start, or name a service with --url and --key\.\n$/,
  );
  app = await startApp({ dataDir: data, key: KEY, bus: bus.address });
  expect(readRunFile(data)?.address).toBe(origin(app.url));
  expect(app.notifications().slice(0, before.length)).toEqual(before);
});

test('SIGTERM ends the app with 0 within three seconds; its key is in no file', async () => {
  // Twice the promised time: other tests run beside this one.
  const { code } = await app.process.stop(6_000);
  expect(code, app.process.printed()).toBe(0);
  expect(readRunFile(data)).toBeNull();
  expect(app.process.printed()).toContain('BAROGRAPH_KEY is not used');
  expect(app.process.printed()).not.toContain(KEY);
  const holding = filesBelow(data).filter(
    ({ path, isFolder }) => !isFolder && readFileSync(path, 'latin1').includes(KEY),
  );
  expect(holding).toEqual([]);
});
