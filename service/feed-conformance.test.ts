// Service, test: a correct vendor passes every rule, and each fault fails its rule.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { instantIn, isSession } from '../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../shared/lib/time.ts';
import { FAKE_KEY, type FakeAlpaca, type FakeBar, startFakeAlpaca } from '../test/harness/fake-alpaca.ts';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { checkFeedRules } from './feed-conformance.ts';
import { directOutbound } from './network/outbound.ts';

/** Wednesday, 18:30 in New York. */
const NOW = Date.parse('2026-03-04T23:30:00Z');
let fake: FakeAlpaca;
let days: FakeBar[];
beforeEach(async () => {
  fake = await startFakeAlpaca(NOW);
  fake.assets.set('SPY', { name: 'SPDR', status: 'active' });
  days = [];
  for (let at = NOW - 60 * DAY_MS; dateOf(at) <= '2026-03-04'; at += DAY_MS) {
    const [year = 0, month = 0, day = 0] = dateOf(at).split('-').map(Number);
    const midnight = instantIn('America/New_York', year, month, day, 0);
    if (isSession('us', dateOf(at))) days.push({ at: midnight, open: 10, high: 11, low: 9, close: 10, volume: 5 });
  }
  fake.bars.set('sip 1Day', new Map([['SPY', days]]));
  fake.bars.set('iex 1Min', new Map());
});
afterEach(() => fake.close());

async function check(key: string | null = `${FAKE_KEY.id}:${FAKE_KEY.secret}`): Promise<Record<string, string>> {
  const hosts = { rest: fake.url, trading: fake.url, stream: fake.streamUrl };
  const found: Record<string, string> = {};
  const subject = { feed: 'alpaca', symbols: ['SPY'], hosts, key };
  for await (const { id, status, detail } of checkFeedRules(subject, {
    clock: createManualClock(NOW),
    outbound: directOutbound,
  })) {
    found[id] = status;
    expect(detail).not.toContain(FAKE_KEY.secret);
  }
  return found;
}
const redOf = (found: Record<string, string>): string[] => Object.keys(found).filter((id) => found[id] === 'red');

it('all rules hold, and what cannot be tried now is skipped', async () => {
  const found = await check();
  expect(redOf(found)).toEqual([]);
  expect(found).toMatchObject({
    access: 'green',
    'days-complete': 'green',
    'minutes-sound': 'skipped',
    'actions-dated': 'green',
  });
  expect(Object.keys(found)).toHaveLength(13);
});

it.each<[string, () => void]>([
  ['days-complete', () => days.splice(-6, 1)],
  ['days-newest', () => days.splice(-1, 1)],
  [
    'prices-sound',
    () => days.splice(-3, 1, { at: days.at(-3)?.at ?? 0, open: 20, high: 11, low: 9, close: 10, volume: 5 }),
  ],
  ['days-there', () => days.splice(0)],
])('%s finds its fault', async (id, spoil) => {
  spoil();
  expect(redOf(await check())).toContain(id);
});

it('without access nothing else is tried', async () => {
  expect(await check(null)).toEqual({ access: 'red' });
});
