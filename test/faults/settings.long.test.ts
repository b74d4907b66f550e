// Faults: the settings file is truncated, changed while the app runs, and written by two programs at once.
// All programs are real processes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { barograph, type RunningApp, startApp } from '../harness/app.ts';
import { type FakeBus, type FakeDesktop, startBus, startDesktop } from '../harness/fake-desktop.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { openLink } from '../harness/link.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { CALM_START, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

/** The first of the catalogue in no list of the defaults. */
const SYMBOL = 'NDX';
const SYMBOLS = 27;
/** The first to be notified. */
const FIRST = 'SPY';
const settings = () => ({
  ...DEFAULT_SETTINGS,
  profiles: [{ name: 'desk', environment: 'sandbox', baseUrl: service.url, mode: 'auto', enabled: true }],
  watchlists: [{ id: 'mine', name: 'Mine', sections: [{ name: 'Core', symbols: [SYMBOL, FIRST] }] }],
  selected: SYMBOL,
});
const text = (): string => JSON.stringify(settings(), null, 2);

let service: RunningService;
let bus: FakeBus;
let busFolder: TemporaryFolder;
let desktop: FakeDesktop;
let data: TemporaryFolder;
let app: RunningApp;

beforeAll(async () => {
  busFolder = temporaryFolder();
  bus = await startBus(join(busFolder.path, 'bus'));
  service = await startService({ environment: 'sandbox', clock: CALM_START, key: TEST_KEY, symbols: SYMBOLS });
  desktop = await startDesktop(bus.address);
  data = temporaryFolder();
  writeFileSync(file(), text());
  app = await startHere();
});
afterAll(async () => {
  await app.process.kill();
  await service.process.kill();
  await desktop.close();
  await bus.close();
  busFolder.remove();
  data.remove();
});

const startHere = (): Promise<RunningApp> => startApp({ dataDir: data.path, key: TEST_KEY, bus: bus.address });
const file = (): string => join(data.path, 'settings.json');
const restart = async (): Promise<void> => {
  await app.process.kill();
  app = await startHere();
};
const profileNames = (): string[] =>
  JSON.parse(readFileSync(file(), 'utf8')).profiles.map(({ name }: { name: string }) => name);

/** A High Risk of the user's own symbol is shown by the user's own profile, alone or in a digest. */
async function expectNotified(): Promise<void> {
  const eventId = (await service.trigger('signal.high_risk', SYMBOL)).at(-1) ?? '';
  await expect
    .poll(() => app.notifications().filter(({ id, names }) => `${String(id)} ${String(names)}`.includes(eventId)))
    .toMatchObject([{ profile: 'desk', outcome: 'shown' }]);
}
const expectSaidOnDesktop = (): Promise<void> =>
  expect
    .poll(() => desktop.shown.map(({ title, body }) => `${title} ${body}`))
    .toContainEqual(expect.stringContaining('settings.json'));
const addByCommand = (name: string): Promise<string> =>
  barograph('profiles', 'add', name, '--env', 'sandbox', '--url', 'http://127.0.0.1:9', '--data-dir', data.path);
async function doctorOnSettings(): Promise<{ status: string; said: string }> {
  const doctor = [...nodeScript('barograph'), 'doctor', '--json', '--data-dir', data.path];
  const child = start(process.execPath, doctor, { DBUS_SESSION_BUS_ADDRESS: bus.address });
  await child.exit;
  const printed = child.printed();
  const { checks } = JSON.parse(printed.slice(printed.indexOf('{')));
  const found = checks.find(({ name }: { name: string }) => name === 'settings');
  return { status: found.standing, said: JSON.stringify(found) };
}

/** Running and at a start: nothing that is watched changes, and the user is told. */
async function expectHarmless(damaged: string): Promise<void> {
  writeFileSync(file(), damaged);
  await expectSaidOnDesktop();
  await expectNotified();
  expect(readFileSync(file(), 'utf8')).toBe(damaged);
  const link = await openLink(await windowAddress());
  expect((await link.call('profiles.read')).problem).toMatchObject({ code: expect.stringContaining('settings.') });
  link.close();
  expect(await doctorOnSettings()).toMatchObject({ status: 'fail' });

  desktop.shown.length = 0;
  await restart();
  await expectNotified();
  await expectSaidOnDesktop();
  expect(existsSync(join(data.path, 'profiles', 'sandbox'))).toBe(false);
}

const windowAddress = async (profile = 'desk'): Promise<string> =>
  (await barograph('open', '--no-open', '--profile', profile, '--data-dir', data.path)).replace('ready ', '').trim();

test('profiles that app and command line add at the same time are all kept', async () => {
  const link = await openLink(app.url);
  const names = (of: string) => Array.from({ length: 4 }, (_, at) => `${of}-${at + 1}`);
  const byApp = async (): Promise<void> => {
    for (const name of names('app')) {
      const { draft } = await link.call('profiles.test', {
        environment: 'sandbox',
        url: 'http://127.0.0.1:9',
        mode: 'proxy',
        key: null,
      });
      await link.call('profiles.add', { name, source: { kind: 'remote', draft, tier: null, passphrase: null } });
      await link.call('watchlist.select', { symbol: name === 'app-1' ? 'SPY' : 'QQQ' });
    }
  };
  const byCommand = Promise.all(
    [0, 1].map(async (lane) => {
      for (const [at, name] of names('cli').entries()) if (at % 2 === lane) await addByCommand(name);
    }),
  );
  await Promise.all([byApp(), byCommand]);
  const expected = ['desk', ...names('app'), ...names('cli')].toSorted();
  expect(profileNames().toSorted()).toEqual(expected);
  const { profiles } = await link.call('profiles.read');
  expect(profiles.map(({ name }: { name: string }) => name).toSorted()).toEqual(expected);
  link.close();
});

test('a truncated settings file changes nothing that is watched, running or at a start, and is said', async () => {
  // By then the app has read the log for the first time, and noted in the file that the service proved itself: a
  // change of the app sets a damaged file aside.
  const isNotified = async (): Promise<boolean> => {
    await service.trigger('signal.high_risk', FIRST);
    return app.notifications().length > 0;
  };
  await expect.poll(isNotified, { interval: 1_000 }).toBe(true);
  await expectHarmless(text().slice(0, 40));
});
