// Test: what runs behind the windows of a data folder: a core per enabled profile, side by side, none of them because of another.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClock } from '../../../shared/lib/clock.ts';
import { DEFAULT_SETTINGS, type Profile } from '../profiles/settings.ts';
import { type House, type HouseParts, openHouse } from './house.ts';
import { lockProfile } from './profile-lock.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
let folder: string;
let said: string[];
let asked: { url: string; key: string | null }[];
let open: House[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-house-'));
  said = [];
  asked = [];
  open = [];
});
afterEach(async () => {
  for (const house of open) await house.close();
  rmSync(folder, { recursive: true, force: true });
});

const remote = (name: string, port: number): Profile => ({
  name,
  environment: 'production',
  baseUrl: `http://127.0.0.1:${port}`,
  mode: 'api-key',
  enabled: true,
});
const [sandbox] = DEFAULT_SETTINGS.profiles;

function settle(...profiles: Profile[]): void {
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...DEFAULT_SETTINGS, profiles }));
}
async function start(more: Partial<HouseParts> = {}): Promise<House> {
  const outcome = await attempt(more);
  if (!('house' in outcome)) throw new Error('occupied');
  open.push(outcome.house);
  return outcome.house;
}
const attempt = (more: Partial<HouseParts>) =>
  openHouse({
    dataFolder: folder,
    profile: null,
    environment: {},
    clock,
    random: () => 0.5,
    fetch: async (url, init) => {
      asked.push({ url, key: new Headers(init?.headers).get('x-api-key') });
      // Only what needs no key is answered: the core goes on to ask for what does.
      if (new URL(url).pathname === '/') return Response.json({});
      throw new Error('no network in here');
    },
    notifier: { status: () => ({ tier: 'in_app', detail: '' }), show: async () => ({ tier: 'in_app', detail: '' }) },
    startEmbedded: async () => ({ url: 'http://127.0.0.1:9', key: 'svc_test_0000000000000000', seed: 7, close: async () => undefined }),
    openStore: (cwd) => new Conf({ cwd, configName: 'settings' }),
    say: (line) => said.push(line),
    ...more,
  });
const label = async (house: House, profile: string): Promise<unknown> => {
  const answer = await house.core(profile)?.dispatch('state.snapshot', {});
  return answer?.ok === true ? (answer.value as { profile: { label: string } }).profile.label : answer;
};

test('every enabled profile has a core of its own; the first one is shown unless another is asked for', async () => {
  settle(sandbox as Profile, remote('desk', 8001), { ...remote('off', 8002), enabled: false });
  const house = await start();
  expect(house.shown).toBe('sandbox');
  expect(await label(house, 'sandbox')).toBe('Simulated market · seed 7');
  expect(await label(house, 'desk')).toBe('127.0.0.1:8001 · no key');
  expect(house.core('off')).toBeNull();
});

test('BAROGRAPH_KEY is for the profile in use and for nobody else', async () => {
  settle(remote('desk', 8001), remote('other', 8002));
  const environment = { BAROGRAPH_KEY: 'svc_live_0123456789abcdef0123' };
  const house = await start({ profile: 'desk', environment });
  expect(environment).toEqual({});
  expect(await label(house, 'desk')).toBe('127.0.0.1:8001 · key …0123');
  expect(await label(house, 'other')).toBe('127.0.0.1:8002 · no key');
  await expect.poll(() => asked.some(({ key }) => key === 'svc_live_0123456789abcdef0123')).toBe(true);
  expect(asked.filter(({ url, key }) => key !== null && !url.startsWith('http://127.0.0.1:8001/'))).toEqual([]);
});

test('a profile whose ledger cannot be had is said, and the others are watched', async () => {
  settle(sandbox as Profile, remote('desk', 8001));
  mkdirSync(join(folder, 'profiles/desk/ledger.sqlite'), { recursive: true });
  const house = await start();
  expect(house.core('desk')).toBeNull();
  expect(await label(house, 'sandbox')).toContain('Simulated');
  expect(said).toContainEqual(expect.stringMatching(/^The profile desk is not watched: /));
  await expect(attempt({ profile: 'desk' })).resolves.toHaveProperty('occupied');
});

test('a profile that another program watches is left to it; asked for, it is occupied', async () => {
  settle(sandbox as Profile, remote('desk', 8001));
  mkdirSync(join(folder, 'profiles/desk'), { recursive: true });
  const lock = lockProfile(join(folder, 'profiles/desk'), 'listen');
  expect(await attempt({ profile: 'desk' })).toMatchObject({
    occupied: { shown: 'desk', holder: { program: 'listen', pid: process.pid } },
  });
  const house = await start();
  expect(house.core('desk')).toBeNull();
  expect(said).toContain(`The profile desk is watched by another program (listen, process ${process.pid}).`);
  if (lock.held) lock.release();
});

test('an unknown profile is wrong, and so is a house where none is enabled', async () => {
  settle(sandbox as Profile);
  await expect(attempt({ profile: 'desk' })).rejects.toThrow('--profile desk: there is no such profile. There is sandbox.');
  settle({ ...(sandbox as Profile), enabled: false });
  await expect(attempt({})).rejects.toThrow('No profile is enabled.');
});

test('after it is closed the same folder can be opened again', async () => {
  await (await start()).close();
  open = [];
  expect((await start()).shown).toBe('sandbox');
});
