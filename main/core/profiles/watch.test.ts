// Test: the symbols that the core follows: watchlists and selections.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_WATCHLIST,
  profileOfList,
  WatchlistsSchema,
  withSourceList,
} from '../../../shared/domain/watchlists.ts';
import { DEFAULT_SETTINGS, type Settings, withoutProfile } from './settings.ts';
import { createWatch } from './watch.ts';

const list = { id: 'desk', name: 'Desk', sections: [{ name: 'Core', symbols: ['SPY', 'QQQ'] }] };
function rig() {
  let stored: Settings = { ...DEFAULT_SETTINGS, watchlists: [list], selected: 'SPY' };
  const write = (next: Partial<Settings>): void => {
    stored = { ...stored, ...next };
  };
  const change = (job: (now: Settings) => Settings): void => write(job(stored));
  const other = createWatch({ read: () => stored, change }, 'other');
  return { other, watch: createWatch({ read: () => stored, change }, 'sandbox'), write, read: () => stored };
}

it('the symbol of each window is followed, besides the watchlists', () => {
  const { watch } = rig();
  watch.select('GLD');
  watch.select('TLT');
  expect(watch.symbols()).toEqual(['SPY', 'QQQ', 'TLT', 'GLD']);
  expect([watch.selected(), watch.isWatched('TLT')]).toEqual(['TLT', false]);
});

it('the last few of many selected symbols are kept', () => {
  const { watch } = rig();
  for (const symbol of ['A', 'B', 'C', 'D', 'E', 'C']) watch.select(symbol);
  expect(watch.symbols()).toEqual(['SPY', 'QQQ', 'C', 'E', 'D', 'B']);
});

it('stepping through a watchlist in one window does not unfollow the symbol of another', () => {
  const { watch, write } = rig();
  const symbols = ['A', 'B', 'C', 'D', 'E'];
  write({ watchlists: [{ ...list, sections: [{ name: 'Core', symbols }] }] });
  watch.refresh();
  watch.select('TSLA');
  for (const symbol of symbols) watch.select(symbol);
  expect(watch.symbols()).toEqual([...symbols, 'TSLA', 'SPY']);
  // Another profile's core removed the symbol from the list; a window may still show it.
  write({ watchlists: [{ ...list, sections: [{ name: 'Core', symbols: symbols.slice(0, 4) }] }] });
  watch.refresh();
  expect(watch.symbols()).toEqual(['A', 'B', 'C', 'D', 'E', 'TSLA', 'SPY']);
});

it('each profile has its own selection, by default that of the settings', () => {
  const { watch, other } = rig();
  expect([watch.selected(), other.selected()]).toEqual(['SPY', 'SPY']);
  watch.select('GLD');
  other.refresh();
  expect([watch.selected(), other.selected()]).toEqual(['GLD', 'SPY']);
});

it('changes by another profile’s core are read; only other lists count as a change', () => {
  const { watch, write } = rig();
  expect(watch.refresh()).toBe(false);
  write({ selected: 'GLD' });
  expect([watch.refresh(), watch.selected()]).toEqual([false, 'GLD']);
  write({ watchlists: [{ ...list, sections: [{ name: 'Core', symbols: ['TLT'] }] }] });
  expect([watch.refresh(), watch.isWatched('TLT'), watch.isWatched('SPY')]).toEqual([true, true, false]);
  expect(watch.refresh()).toBe(false);
});

describe('the list of another profile’s own symbols', () => {
  const prices = { id: 'prices-replay', name: 'replay', sections: [{ name: 'Own prices', symbols: ['GE', 'SPY'] }] };
  const [sandbox] = DEFAULT_SETTINGS.profiles;
  if (sandbox === undefined) throw new Error('no profile');
  const withReplay = (watchlists: Settings['watchlists']) => {
    const { watch, other, write, read } = rig();
    write({ watchlists, profiles: [sandbox, { ...sandbox, name: 'replay' }] });
    watch.refresh();
    other.refresh();
    return { watch, other, write, read };
  };

  it('is neither shown nor watched, and remains when the lists are saved', () => {
    const { watch, read } = withReplay([prices, list]);
    expect([watch.lists(), watch.symbols(), watch.listsOf('SPY')]).toEqual([[list], ['SPY', 'QQQ'], ['desk']]);
    const shorter = { ...list, sections: [] };
    watch.save([shorter]);
    expect(read().watchlists).toEqual([shorter, prices]);
    // A window that still showed the list sends it.
    watch.save([list, prices]);
    expect(read().watchlists).toEqual([list, prices]);
  });

  it('is not watched where it is the only one: the list of a first start is', () => {
    const { watch, read } = withReplay([prices]);
    expect(watch.lists()).toEqual([DEFAULT_WATCHLIST]);
    watch.save([list]);
    expect([read().watchlists, watch.lists()]).toEqual([[list, prices], [list]]);
  });
});

const NAMES = ['sandbox', 'replay', 'coins'];
const SYMBOLS = ['SPY', 'GE', 'BTC', 'ETH', 'GLD'];
const stepArbitrary = fc.record({
  kind: fc.constantFrom('add', 'remove', 'save', 'empty'),
  name: fc.constantFrom(...NAMES),
  symbols: fc.uniqueArray(fc.constantFrom(...SYMBOLS), { minLength: 1, maxLength: 3 }),
});

it('whatever profiles and lists come and go, no profile watches the list of another, or of a removed one', () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 20 }), (steps) => {
      const { write, read } = rig();
      const [sandbox] = DEFAULT_SETTINGS.profiles;
      if (sandbox === undefined) throw new Error('no profile');
      const change = (job: (now: Settings) => Settings): void => write(job(read()));
      const watchOf = (name: string) => createWatch({ read, change }, name);
      for (const [index, { kind, name, symbols }] of steps.entries()) {
        const isThere = read().profiles.some((one) => one.name === name);
        const own = { name, section: 'Own prices', symbols };
        if (kind === 'add' && !isThere)
          change((now) => ({
            ...now,
            profiles: [...now.profiles, { ...sandbox, name }],
            watchlists: withSourceList(now.watchlists, own),
          }));
        if (kind === 'remove' && isThere && read().profiles.length > 1) change((now) => withoutProfile(now, name));
        const watch = watchOf(name);
        if (kind === 'save' && isThere)
          watch.save([...watch.lists(), { ...list, id: `l${index}`, sections: [{ name: 'A', symbols }] }]);
        if (kind === 'empty' && isThere) watch.save(watch.lists().slice(0, 1));
        expect(WatchlistsSchema.safeParse(read().watchlists).success).toBe(true);
        const names = read().profiles.map((one) => one.name);
        for (const shown of names) {
          const owners = watchOf(shown)
            .lists()
            .map(({ id }) => profileOfList(id));
          expect(owners.every((owner) => owner === null || owner === shown)).toBe(true);
          expect(owners.length).toBeGreaterThan(0);
        }
        for (const { id } of read().watchlists) {
          const owner = profileOfList(id);
          expect(owner === null || names.includes(owner)).toBe(true);
        }
      }
    }),
  );
});
