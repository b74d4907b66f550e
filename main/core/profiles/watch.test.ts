// Test: the symbols that the core follows: watchlists and selections.
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
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

it('of many selected symbols, the last few', () => {
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

  it('is watched where it is the only one, and when its profile was removed', () => {
    const { watch, write } = withReplay([prices]);
    expect(watch.symbols()).toEqual(['GE', 'SPY']);
    write({ watchlists: [list, prices], profiles: [sandbox] });
    watch.refresh();
    expect(watch.symbols()).toEqual(['SPY', 'QQQ', 'GE']);
  });
});
