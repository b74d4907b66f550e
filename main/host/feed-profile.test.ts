// Test: the profile of a feed that the command line names, and its flags.
import { expect, test } from 'vitest';
import { watchedSymbols } from '../../shared/domain/watchlists.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../core/profiles/settings.ts';
import { feedProfile, followedFeed } from './feed-profile.ts';
import { parseStartFlags } from './start-flags.ts';

function settings(stored: Settings = DEFAULT_SETTINGS) {
  let now = stored;
  return {
    read: () => now,
    change(work: (before: Settings) => Settings) {
      now = SettingsSchema.parse(work(now));
    },
  };
}

test('a feed without a profile gets one, with a list of its symbols, the first of them selected', () => {
  const store = settings();
  expect(feedProfile(store, { name: 'binance' })).toBe('binance');
  const { profiles, watchlists } = store.read();
  expect(profiles.map(({ name }) => name)).toEqual(['sandbox', 'binance']);
  expect(profiles[1]).toMatchObject({
    environment: 'production',
    enabled: true,
    feed: { name: 'binance' },
    selected: 'BTC',
  });
  expect(watchlists.at(-1)).toMatchObject({ id: 'prices-binance', name: 'binance' });
  expect(watchedSymbols(watchlists.slice(-1))).toEqual(expect.arrayContaining(['BTC', 'ETH', 'SOL']));
});

test('an existing profile is shown, and turned on again where it was off', () => {
  const store = settings();
  feedProfile(store, { name: 'binance' });
  const before = store.read();
  expect(feedProfile(store, { name: 'binance' })).toBe('binance');
  expect(store.read()).toBe(before);
  store.change((now) => ({
    ...now,
    profiles: now.profiles.map((one) => ({ ...one, enabled: one.name === 'sandbox' })),
  }));
  expect(feedProfile(store, { name: 'binance' })).toBe('binance');
  expect(store.read()).toEqual(before);
});

test('a mirror of the vendor is another profile', () => {
  const store = settings();
  feedProfile(store, { name: 'binance' });
  const hosts = { rest: 'http://127.0.0.1:9' };
  expect(feedProfile(store, { name: 'binance', hosts })).toBe('binance-2');
  expect(store.read().profiles.at(-1)?.feed).toEqual({ name: 'binance', hosts });
});

test('a feed follows its first symbols and those of lists: coins of their own list, shares of all', () => {
  const list = (id: string, ...symbols: string[]) => ({ id, name: id, sections: [{ name: 'All', symbols }] });
  const lists = [list('desk', 'DIA', 'COMP', 'SPY', 'KO'), list('prices-coins', 'BTC', 'PEPE')];
  const coins = followedFeed('coins', { name: 'binance' }, lists).symbols ?? [];
  expect(coins).toEqual(expect.arrayContaining(['BTC', 'ETH', 'PEPE']));
  expect(coins.filter((symbol) => ['DIA', 'COMP', 'SPY'].includes(symbol))).toEqual([]);
  expect(new Set(coins).size).toBe(coins.length);
  expect(followedFeed('shares', { name: 'alpaca' }, lists).symbols).toEqual(expect.arrayContaining(['KO', 'QQQ']));
  expect(followedFeed('shares', { name: 'alpaca', symbols: ['IBM'] }, lists).symbols).toEqual(['IBM']);
  const own = [...lists, list('prices-shares', 'IBM', 'GE')];
  expect(followedFeed('shares', { name: 'alpaca', symbols: ['IBM'] }, own).symbols).toEqual(['IBM', 'GE']);
});

test('the flags of a feed', () => {
  expect(parseStartFlags(['--feed', 'binance']).feed).toEqual({ name: 'binance' });
  expect(
    parseStartFlags(['--feed', 'binance', '--feed-host', 'rest=http://a/?b=c', '--feed-host', 'stream=ws://b']).feed,
  ).toEqual({ name: 'binance', hosts: { rest: 'http://a/?b=c', stream: 'ws://b' } });
  for (const [flags, why] of [
    ['--feed stooq', /--feed is binance/],
    ['--feed-host rest=http://a', /needs --feed/],
    ['--feed binance --profile desk', /leave --profile out/],
    ['--feed binance --feed-host rest', /rest=https/],
    ['--feed binance --feed-host rest=file:///etc', /rest=https/],
    ['--feed binance --feed-host fix=http://a', /fix|rest/],
  ] as const)
    expect(() => parseStartFlags(flags.split(' '))).toThrow(why);
});
