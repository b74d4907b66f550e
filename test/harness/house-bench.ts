// Test harness: a data folder with settings of its own for every test, a network that answers what it is told, and houses that are closed after it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach } from 'vitest';
import { type House, type HouseParts, openHouse } from '../../main/core/host/house.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings } from '../../main/core/profiles/settings.ts';
import type { Answer } from '../../shared/channels/channel.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { createFakeKeychain, type FakeKeychain } from './fake-keychain.ts';

export interface HouseBench {
  folder: string;
  said: string[];
  asked: { url: string; key: string | null }[];
  /** What runs; a test that closes one itself takes it out. */
  open: House[];
  keychain: FakeKeychain;
  /** Only what needs no key is answered, unless a test says otherwise: the core goes on to ask for what does. */
  answer: (url: URL, key: string | null) => Response;
  settle(...profiles: Profile[]): void;
  settings(): Settings;
  attempt(more?: Partial<HouseParts>): ReturnType<typeof openHouse>;
  start(more?: Partial<HouseParts>): Promise<House>;
  call(house: House, name: string, payload?: object, profile?: string): Promise<Answer | undefined>;
}

export const SIMULATED: Profile = {
  name: 'sandbox',
  environment: 'sandbox',
  baseUrl: null,
  mode: 'auto',
  enabled: true,
};
export const remote = (name: string, port: number): Profile => ({
  name,
  environment: 'production',
  baseUrl: `http://127.0.0.1:${port}`,
  mode: 'api-key',
  enabled: true,
});

/** Call at the top of a test file. */
export function setUpHouseBench(): HouseBench {
  const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
  const bench: HouseBench = {
    folder: '',
    said: [],
    asked: [],
    open: [],
    keychain: createFakeKeychain(),
    answer: onlyOpen,
    settle: (...profiles) =>
      writeFileSync(join(bench.folder, 'settings.json'), JSON.stringify({ ...DEFAULT_SETTINGS, profiles })),
    settings: () => JSON.parse(readFileSync(join(bench.folder, 'settings.json'), 'utf8')),
    attempt: (more = {}) =>
      openHouse({
        dataFolder: bench.folder,
        profile: null,
        environment: {},
        clock,
        random: () => 0.5,
        fetch: async (url, init) => {
          const key = new Headers(init?.headers).get('x-api-key');
          bench.asked.push({ url, key });
          return bench.answer(new URL(url), key);
        },
        notifier: {
          status: () => ({ tier: 'in_app', detail: '' }),
          show: async () => ({ tier: 'in_app', detail: '' }),
        },
        startEmbedded: async ({ prices }) => ({
          url: 'http://127.0.0.1:9',
          key: 'svc_test_0000000000000000',
          seed: prices === null ? 7 : null,
          close: async () => undefined,
        }),
        checkPrices: () => Promise.reject(new Error('no prices here')),
        openWindow: async (name) => `http://127.0.0.1:1/#token=${name}`,
        startKeychain: bench.keychain.start,
        platform: 'linux',
        openStore: (cwd) => new Conf({ cwd, configName: 'settings' }),
        say: (line) => bench.said.push(line),
        ...more,
      }),
    async start(more) {
      const outcome = await bench.attempt(more);
      if (!('house' in outcome)) throw new Error('occupied');
      bench.open.push(outcome.house);
      return outcome.house;
    },
    async call(house, name, payload = {}, profile = house.shown) {
      return house.core(profile)?.dispatch(name, payload);
    },
  };
  beforeEach(() => {
    Object.assign(bench, {
      folder: mkdtempSync(join(tmpdir(), 'barograph-house-')),
      said: [],
      asked: [],
      open: [],
      keychain: createFakeKeychain(),
      answer: onlyOpen,
    });
  });
  afterEach(async () => {
    for (const house of bench.open) await house.close();
    rmSync(bench.folder, { recursive: true, force: true });
  });
  return bench;
}

function onlyOpen(url: URL): Response {
  if (url.pathname === '/') return Response.json({});
  throw new Error('no network in here');
}
