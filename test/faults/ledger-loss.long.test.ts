// Faults: the ledger of a real app is removed, emptied or robbed; a High Risk is notified once.
// The app is stopped or running.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../main/core/files/backup.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { type RunningApp, startApp } from '../harness/app.ts';
import { eventually } from '../harness/eventually.ts';
import { type FakeBus, type FakeDesktop, startBus, startDesktop } from '../harness/fake-desktop.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { openLink } from '../harness/link.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { CALM_START, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

const SYMBOLS = ['SPX', 'SPY', 'QQQ', 'IWM', 'DIA'];

let service: RunningService;
let bus: FakeBus;
let busFolder: TemporaryFolder;
let desktop: FakeDesktop;
let data: TemporaryFolder;
let app: RunningApp;

beforeAll(async () => {
  busFolder = temporaryFolder();
  bus = await startBus(join(busFolder.path, 'bus'));
});
afterAll(async () => {
  await bus.close();
  busFolder.remove();
});
beforeEach(async () => {
  service = await startService({ environment: 'sandbox', clock: CALM_START, key: TEST_KEY, symbols: SYMBOLS.length });
  desktop = await startDesktop(bus.address);
  data = temporaryFolder();
  const profile = { name: 'desk', environment: 'sandbox', baseUrl: service.url, mode: 'auto', enabled: true };
  const settings = {
    ...DEFAULT_SETTINGS,
    profiles: [profile],
    watchlists: [{ id: 'mine', name: 'Mine', sections: [{ name: 'All', symbols: SYMBOLS }] }],
  };
  writeFileSync(join(data.path, 'settings.json'), JSON.stringify(settings));
  await open();
  await expectBegun();
});
afterEach(async () => {
  await app.process.kill();
  await service.process.kill();
  await desktop.close();
  data.remove();
});

const open = async (): Promise<void> => {
  app = await startApp({ dataDir: data.path, key: TEST_KEY, bus: bus.address });
};
const folder = (): string => join(data.path, 'profiles', 'desk');
const path = (): string => join(folder(), 'ledger.sqlite');
/** The watch begins with the first poll; what that finds High Risk has the id of its state, not of its event. */
const expectBegun = (): Promise<void> =>
  eventually(() => {
    const db = new Database(path(), { readonly: true });
    try {
      expect(db.prepare("SELECT value FROM metadata WHERE name = 'watched'").pluck().get()).toContain('SPX');
    } finally {
      db.close();
    }
  });
const trigger = async (symbol: string): Promise<string> =>
  (await service.trigger('signal.high_risk', symbol)).at(-1) ?? '';
/** The notifications that name the event and were shown; one that grew, or is replaced on the screen, is one. */
const shownAs = (id: string): unknown[] => {
  const lines = app
    .notifications()
    .filter(
      (line) => line.outcome === 'shown' && [line.id, ...((line.names as string[]) ?? [])].includes(`barograph:${id}`),
    );
  return [...new Set(lines.map((line) => line.id))];
};
const expectShownOnce = (id: string): Promise<void> => eventually(() => expect(shownAs(id)).toHaveLength(1));
const said = (): string[] => desktop.shown.map(({ title, body }) => `${title} ${body}`);
const expectSaid = (pattern: RegExp): Promise<void> =>
  eventually(() => expect(said()).toContainEqual(expect.stringMatching(pattern)));
async function doctorOnLedger(): Promise<{ status: string; text: string }> {
  const child = start(process.execPath, [...nodeScript('barograph'), 'doctor', '--json', '--data-dir', data.path]);
  await child.exit;
  const printed = child.printed();
  const { checks } = JSON.parse(printed.slice(printed.indexOf('{')));
  const found = checks.find(({ name }: { name: string }) => name === 'ledger');
  return { status: found.standing, text: JSON.stringify(found) };
}
const remove = (): void => {
  for (const ending of ['', '-wal', '-shm']) rmSync(path() + ending, { force: true });
};
const overwrite = (): void => {
  // A WAL beside it would still hold every page.
  remove();
  writeFileSync(path(), Buffer.alloc(200_000, 0x5a));
};
describe('at a start', () => {
  test.each<[string, RegExp, () => void, RegExp, () => void]>([
    [
      'removed, and has a backup,',
      /missing/,
      remove,
      /ledger-2026-11-01\.sqlite/,
      () => backUp(folder(), { names: ['ledger.sqlite'], day: '2026-11-01' }),
    ],
    ['overwritten, and has no backup,', /damaged/, overwrite, /filled again from the service/, () => undefined],
  ])('a ledger that is %s is no first start', async (_, state, attack, cure, prepare) => {
    const before = await trigger('SPX');
    await expectShownOnce(before);
    prepare();
    const since = await trigger('SPY');
    await expectShownOnce(since);
    await app.process.kill();
    attack();
    expect(await doctorOnLedger()).toMatchObject({ status: 'fail', text: expect.stringMatching(state) });
    const missed = await trigger('QQQ');
    await open();
    await expectShownOnce(missed);
    await expectSaid(new RegExp(`${state.source}.*${cure.source}`));
    expect(await doctorOnLedger()).toMatchObject({ status: 'warn', text: expect.stringMatching(state) });
    const live = await trigger('IWM');
    await expectShownOnce(live);
    for (const id of [before, since]) expect(shownAs(id)).toHaveLength(1);
    const link = await openLink(app.url);
    const { gaps } = await link.call('state.snapshot');
    link.close();
    expect(JSON.stringify(gaps)).toContain('ledger.lost');
  });
});

test.each([
  ['removed', remove, /was removed while Barograph ran.*wrote it back complete/],
  [
    'replaced',
    () => {
      rmSync(path());
      writeFileSync(path(), 'another file');
    },
    /was replaced while Barograph ran/,
  ],
])('a ledger that is %s while the app runs is noticed, and everything is notified once', async (_, attack, pattern) => {
  const before = await trigger('SPX');
  await expectShownOnce(before);
  attack();
  const meanwhile = await trigger('SPY');
  await expectShownOnce(meanwhile);
  await expectSaid(pattern);
  expect(await doctorOnLedger()).toMatchObject({ status: 'warn', text: expect.stringMatching(pattern) });
  const after = await trigger('QQQ');
  await expectShownOnce(after);
  await app.process.kill();
  const missed = await trigger('IWM');
  await open();
  await expectShownOnce(missed);
  for (const id of [before, meanwhile, after]) expect(shownAs(id)).toHaveLength(1);
  expect(existsSync(path())).toBe(true);
  expect(readdirSync(folder()).filter((name) => name.endsWith('.next'))).toEqual([]);
});
