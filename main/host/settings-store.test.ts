// Test: after damage of the settings file the app watches the last good profiles, or the file's.
// The default never replaces a file that named profiles, and no damaged text is lost.
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RefusedError } from '../../shared/channels/channel.ts';
import { SYMBOL_PATTERN } from '../../shared/domain/instruments.ts';
import { casesOf } from '../../test/harness/run-length.ts';
import { DEFAULT_SETTINGS, type Settings } from '../core/profiles/settings.ts';
import { UsageError } from './command-line.ts';
import { createSettingsStore } from './settings-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const GOOD: Settings = {
  ...DEFAULT_SETTINGS,
  profiles: ['desk', 'second'].map((name, at) => ({
    name,
    environment: 'production',
    baseUrl: `https://${name}.example.com`,
    mode: 'api-key',
    enabled: at === 0,
  })),
  watchlists: [
    { id: 'mine', name: 'Mine', sections: [{ name: 'Core', symbols: ['NDX', 'SPY'] }] },
    { id: 'other', name: 'Ünï', sections: [] },
  ],
  selected: 'NDX',
};
const TEXT = JSON.stringify(GOOD);

type Json = Record<string, unknown>;
type Damage = (bytes: Buffer) => Buffer;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every position of a value: the object or array that has it, and its key. */
function placesOf(value: unknown): { readonly holder: Json; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ holder: value as Json, key }, ...placesOf((value as Json)[key])]);
}
/** Damages the value; text that is no longer JSON stays unchanged. */
const inJson =
  (job: (value: Json) => void): Damage =>
  (bytes) => {
    try {
      const value = JSON.parse(bytes.toString());
      if (isObject(value)) job(value);
      return Buffer.from(JSON.stringify(value));
    } catch {
      return bytes;
    }
  };
const atPlace = (at: number, job: (holder: Json, key: string) => void): Damage =>
  inJson((value) => {
    const places = placesOf(value);
    const place = places[at % Math.max(1, places.length)];
    if (place !== undefined) job(place.holder, place.key);
  });
const OTHER_VALUES = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  'x',
  'desk',
  '\u0000',
  [],
  {},
  [null],
  { name: 'desk' },
  'NDX',
];
const position = fc.nat(2_000);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  position.map(
    (at): Damage =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
  position.map(
    (at): Damage =>
      (bytes) =>
        bytes.subarray(at % (bytes.length + 1)),
  ),
  fc.tuple(position, fc.integer({ min: 1, max: 255 })).map(
    ([at, bits]): Damage =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ bits;
        return copy;
      },
  ),
  fc.tuple(position, fc.nat(40)).map(
    ([at, count]): Damage =>
      (bytes) => {
        const cut = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(count), bytes.subarray(cut)]);
      },
  ),
  fc.tuple(position, fc.constantFrom(...OTHER_VALUES)).map(([at, value]) =>
    atPlace(at, (holder, key) => {
      holder[key] = value;
    }),
  ),
  position.map((at) =>
    atPlace(at, (holder, key) => void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key])),
  ),
  fc.tuple(position, fc.constantFrom('later', '__proto__', 'constructor', 'version ')).map(([at, key]) =>
    atPlace(at, (holder) => {
      if (!Array.isArray(holder)) Object.defineProperty(holder, key, { value: { a: 1 }, enumerable: true });
    }),
  ),
  fc.boolean().map((isOther) =>
    inJson(({ profiles }) => {
      if (Array.isArray(profiles) && isObject(profiles[0]))
        profiles.push(isOther ? { ...profiles[0], baseUrl: 'https://impostor.example.com' } : profiles[0]);
    }),
  ),
  fc.constantFrom(1, 3, 99, 1e308, -1).map((version) =>
    inJson((value) => {
      value.version = version;
    }),
  ),
  fc.nat(20_000).map(
    (depth): Damage =>
      (bytes) =>
        Buffer.from(`${bytes.toString().slice(0, -1)},"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  ),
);
const damages = fc
  .array(damage, { minLength: 1, maxLength: 3 })
  .map((all) => all.reduce<Buffer>((bytes, one) => one(bytes), Buffer.from(TEXT)));

const watched = ({ profiles, watchlists }: Settings) => ({ profiles, watchlists });
const isSymbol = (value: unknown): boolean => typeof value === 'string' && SYMBOL_PATTERN.test(value);

/**
 * Whether the profiles and lists in use are exactly those in the text of the file.
 */
function isOfFile(used: Settings, bytes: Buffer): boolean {
  let value: { profiles?: unknown; watchlists?: unknown };
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
  const { profiles, watchlists } = value;
  if (!Array.isArray(profiles) || !Array.isArray(watchlists)) return false;
  const isSame = (own: unknown, given: unknown, of = ''): boolean => {
    if (Array.isArray(own)) {
      if (!Array.isArray(given)) return false;
      const kept = of === 'symbols' ? given.filter(isSymbol) : given;
      return kept.length === own.length && own.every((one, at) => isSame(one, kept[at]));
    }
    if (isObject(own)) return isObject(given) && Object.keys(own).every((key) => isSame(own[key], given[key], key));
    return own === given;
  };
  const names = used.profiles.map(({ name }) => name);
  return isSame(used.profiles, profiles) && isSame(used.watchlists, watchlists) && new Set(names).size === names.length;
}

describe('after any damage of the settings file', () => {
  const file = (): string => join(folder, 'settings.json');
  const open = () => createSettingsStore(folder, () => undefined);
  const begin = (): void => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  };
  const isKept = (bytes: Buffer): boolean =>
    readdirSync(folder).some((name) => name.startsWith('settings.') && readFileSync(join(folder, name)).equals(bytes));
  /** Changes a setting: the change is refused, or the damaged text is kept beside the file. */
  const change = (store: ReturnType<typeof open>, bytes: Buffer): void => {
    const before = store.read();
    const isProblem = store.problem() !== null;
    try {
      store.change((now) => ({ ...now, selected: 'IWM' }));
      expect(store.read()).toEqual({ ...before, selected: 'IWM' });
    } catch (error) {
      expect(error).toBeInstanceOf(RefusedError);
    }
    if (isProblem) expect(isKept(bytes)).toBe(true);
  };

  test('a running app, and a start with a copy, watch the last good or what the file says', () => {
    fc.assert(
      fc.property(damages, fc.boolean(), (bytes, isStart) => {
        begin();
        const running = open();
        writeFileSync(file(), TEXT);
        running.read();
        writeFileSync(file(), bytes);
        const store = isStart ? open() : running;
        const used = store.read();
        if (!isOfFile(used, bytes)) expect(watched(used)).toEqual(watched(GOOD));
        expect(readFileSync(file()).equals(bytes)).toBe(true);
        change(store, bytes);
      }),
      { numRuns: casesOf(100, 30) },
    );
  });

  test('a start without a copy watches the profiles of the file, or ends with a UsageError', () => {
    fc.assert(
      fc.property(damages, (bytes) => {
        begin();
        writeFileSync(file(), bytes);
        const store = open();
        try {
          expect(isOfFile(store.read(), bytes)).toBe(true);
          change(store, bytes);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
        }
        expect(isKept(bytes) || store.problem() === null).toBe(true);
      }),
      { numRuns: casesOf(150, 30) },
    );
  });
});

describe('a settings file that is a link', () => {
  const file = (): string => join(folder, 'settings.json');
  const target = (): string => join(folder, 'elsewhere', 'mine.json');
  const open = () => createSettingsStore(folder, () => undefined);
  const inTarget = (): Settings => JSON.parse(readFileSync(target(), 'utf8'));
  beforeEach(() => {
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(target(), TEXT);
    symlinkSync(target(), file());
  });

  test('stays a link: its target is changed', () => {
    const store = open();
    store.change((now) => ({ ...now, selected: 'IWM' }));
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(inTarget()).toEqual({ ...GOOD, selected: 'IWM' });
    expect(open().read()).toEqual({ ...GOOD, selected: 'IWM' });
  });

  test('to a damaged file: its text is quarantined, and the target is repaired', () => {
    const store = open();
    store.read();
    writeFileSync(target(), '{');
    expect(store.read()).toEqual(GOOD);
    store.change((now) => ({ ...now, selected: 'IWM' }));
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(inTarget().selected).toBe('IWM');
    expect(readFileSync(join(folder, 'settings.bad-1.json'), 'utf8')).toBe('{');
    expect(lstatSync(join(folder, 'settings.bad-1.json')).isFile()).toBe(true);
  });

  test('to a missing file is not replaced, not even by the defaults', () => {
    rmSync(target());
    expect(() => open().read()).toThrow(UsageError);
    writeFileSync(target(), TEXT);
    const running = open();
    running.read();
    rmSync(target());
    for (const store of [running, open()]) {
      expect(store.read()).toEqual(GOOD);
      expect(store.problem()).toMatchObject({ code: 'settings.unreadable' });
      expect(() => store.change((now) => ({ ...now, selected: 'IWM' }))).toThrow(RefusedError);
    }
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
  });
});

test('a settings file of 300 MB is refused without being read: the last good settings stay in use', () => {
  const file = join(folder, 'settings.json');
  const running = createSettingsStore(folder, () => undefined);
  writeFileSync(file, TEXT);
  running.read();
  truncateSync(file, 300_000_000);
  for (const store of [running, createSettingsStore(folder, () => undefined)]) {
    expect(store.read()).toEqual(GOOD);
    expect(store.problem()).toMatchObject({
      values: { why: expect.stringMatching(/has 286.1 MB, and 16.0 MB are the most/) },
    });
  }
});

describe('a settings file that is no regular file', () => {
  const file = (): string => join(folder, 'settings.json');
  const open = () => createSettingsStore(folder, () => undefined);
  const kinds: readonly [string, () => void][] = [
    ['a folder', () => mkdirSync(file())],
    ['a pipe', () => execFileSync('mkfifo', [file()])],
    ['a device', () => symlinkSync('/dev/zero', file())],
  ];

  test.each(kinds)('%s: a start without a copy reports it, and does not wait', (kind, make) => {
    make();
    expect(() => open().read()).toThrow(`settings.json is ${kind}, not a regular file: move it away`);
    expect(() => open().read()).toThrow(UsageError);
  });

  test.each(kinds)('%s: the last good settings stay in use, and nothing replaces it', (_, make) => {
    const running = open();
    writeFileSync(file(), TEXT);
    running.read();
    rmSync(file());
    make();
    for (const store of [running, open()]) {
      expect(store.read()).toEqual(GOOD);
      expect(store.problem()).toMatchObject({ code: 'settings.unreadable' });
      expect(() => store.change((now) => ({ ...now, selected: 'IWM' }))).toThrow(RefusedError);
    }
    expect(lstatSync(file()).isFile()).toBe(false);
  });
});
