// Test: unknown keys of the settings file survive random changes, and removed ones do not return.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Profile, type Settings, SettingsSchema } from './settings.ts';
import { parseKnown, withUnknownKeys } from './unknown-keys.ts';

type Json = Record<string, unknown>;

const KEYS = ['later', 'color', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', 'ünïcode', ''];
/** Defines any key, `__proto__` too. */
const put = (object: Json, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
};
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const walk = (value: unknown, visit: (object: Json) => void): void => {
  if (isObject(value)) visit(value);
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) walk(one, visit);
};

const profileOf = (name: string, at: number): Profile => ({
  name,
  environment: 'sandbox',
  baseUrl: `http://127.0.0.1:${at + 1}`,
  mode: 'auto',
  enabled: true,
  relay: { on: true, port: at, publicUrl: null },
  keys: { tier: 'session', saved_at: null, prefix: null },
});
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 4 });
const section = fc.record({
  // Two sections may have the same name.
  name: fc.constantFrom('Core', 'Core', 'Rest'),
  symbols: fc.subarray(['SPY', 'QQQ', 'IWM', 'DIA', 'TLT']),
});
const settings: fc.Arbitrary<Settings> = fc
  .record({
    profiles: names.map((all) => all.map(profileOf)),
    watchlists: names.chain((ids) =>
      fc.tuple(...ids.map((id) => fc.array(section, { maxLength: 4 }).map((sections) => ({ id, name: id, sections })))),
    ),
  })
  .map((some) => ({
    ...DEFAULT_SETTINGS,
    ...some,
    alerting: { ...DEFAULT_SETTINGS.alerting, outage: { market_minutes: 3, other_minutes: 45 } },
    shell: { closeToTray: true, checkForUpdates: true },
  }));
/** Settings with unknown keys, each with a different value. */
const file = settings.chain((value) =>
  fc.array(fc.option(fc.constantFrom(...KEYS), { freq: 3 }), { minLength: 60, maxLength: 60 }).map((keys) => {
    const raw = structuredClone(value) as unknown as Json;
    let number = 0;
    walk(raw, (object) => {
      const key = keys[number] ?? null;
      number += 1;
      if (key !== null && !Object.hasOwn(object, key)) put(object, key, { number });
    });
    return JSON.stringify(raw);
  }),
);

const unknownOf = (object: unknown): string[] =>
  isObject(object)
    ? KEYS.filter((key) => Object.hasOwn(object, key)).map((key) => JSON.stringify([key, object[key]]))
    : [];
const parsed = (raw: unknown): Settings => {
  const { data } = parseKnown(SettingsSchema, raw);
  if (data === undefined) throw new Error('the file of the test is invalid');
  return data;
};

describe('a change', () => {
  test('of anything keeps every unknown key where nothing was removed', () => {
    fc.assert(
      fc.property(file, (text) => {
        const raw = JSON.parse(text);
        const known = parsed(raw);
        const next = {
          ...known,
          selected: 'IWM',
          profiles: known.profiles.map((one) => ({ ...one, enabled: !one.enabled })).toReversed(),
          watchlists: known.watchlists.map((list) => ({ ...list, name: `${list.name}!` })),
        };
        const after = JSON.parse(JSON.stringify(withUnknownKeys(raw, known, next)));
        const count = (of: unknown): string[] => {
          const found: string[] = [];
          walk(of, (object) => found.push(...unknownOf(object)));
          return found.toSorted();
        };
        expect(count(after)).toEqual(count(raw));
        expect(parsed(after)).toEqual(next);
      }),
    );
  });

  test('that removes, adds and moves items keeps the keys of the remaining items, and restores no removed one', () => {
    const change = fc.record({
      removed: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      isReversed: fc.boolean(),
      isRenamed: fc.boolean(),
      removes: fc.subarray(['relay', 'keys'] as const),
    });
    fc.assert(
      fc.property(file, change, (text, { removed, isReversed, isRenamed, removes }) => {
        const raw = JSON.parse(text) as {
          profiles: Json[];
          watchlists: (Json & { sections: Json[] })[];
        };
        const known = parsed(raw);
        const keep = (): boolean => removed.pop() !== true;
        const kept = known.profiles.map((profile, at) => ({ profile, at })).filter(keep);
        const keptLists = known.watchlists.map((list, at) => ({ list, at })).filter(keep);
        if (isReversed) kept.reverse();
        const keptSections = keptLists.map(({ list }) => list.sections.map((one, at) => ({ one, at })).filter(keep));
        const next = {
          ...known,
          profiles: [
            ...kept.map(({ profile }) => {
              const copy = structuredClone(profile);
              for (const key of removes) delete copy[key];
              return copy;
            }),
            { ...profileOf('new', 9), baseUrl: null },
          ],
          watchlists: [
            { id: 'new', name: 'New', sections: [] },
            ...keptLists.map(({ list }, index) => ({
              ...list,
              name: isRenamed ? `${list.name}!` : list.name,
              sections: keptSections[index]?.map(({ one }) => one) ?? [],
            })),
          ],
        };
        const after = JSON.parse(JSON.stringify(withUnknownKeys(raw, known, next))) as typeof raw;
        expect(parsed(after)).toEqual(next);
        for (const [index, { at }] of kept.entries())
          expect(unknownOf(after.profiles[index])).toEqual(unknownOf(raw.profiles[at]));
        for (const [index, { at }] of keptLists.entries()) {
          const [is, was] = [after.watchlists[index + 1], raw.watchlists[at]];
          expect(unknownOf(is)).toEqual(unknownOf(was));
          // Either of two equal sections may have been removed.
          const all = (found: readonly unknown[]): string => JSON.stringify(found.flatMap(unknownOf));
          const same = new Set(known.watchlists[at]?.sections.map((one) => JSON.stringify(one))).size;
          if (same === known.watchlists[at]?.sections.length)
            expect(all(is?.sections ?? [])).toBe(
              all((keptSections[index] ?? []).map(({ at: place }) => was?.sections[place])),
            );
        }
        expect([unknownOf(after.profiles.at(-1)), unknownOf(after.watchlists[0])]).toEqual([[], []]);
      }),
    );
  });

  test('of the name of a section alone keeps its unknown keys', () => {
    const list = (name: string, more: object = {}) => ({
      sections: [
        { name, symbols: ['SPY'], ...more },
        { name: 'Other', symbols: [] },
      ],
    });
    expect(withUnknownKeys(list('Core', { later: 1 }), list('Core'), list('Mine'))).toEqual(list('Mine', { later: 1 }));
  });
});
