// Test: prices that need a decision, in a whole core: notified once, with the state or without one, and withdrawn.
import { expect, test } from 'vitest';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { inbox } from '../../../test/harness/alert-calls.ts';
import { notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { LIVE_KEY } from '../../../test/harness/wire-service.ts';

const bench = setUpCoreBench();
/** Longer than the interval of the polls. */
const POLLED = 130_000;
const REASON = 'SPY 2026-03-02: close 120.1 after 180.3 looks like a split 3:2 that is not adjusted';
const QUESTION: PriceQuestion = {
  date: '2026-03-02',
  price: 120.1,
  before: 180.3,
  doubt: 'split',
  ratio: '3:2',
  volume_times: 1.1,
  range_times: 0.9,
  counts_as: 'price',
  state_before: 0,
  reason: REASON,
};
const asked = (rig: CoreRig) => rig.shown.filter(({ id }) => id.startsWith('barograph:question:'));
const ask = (symbol: string, question: PriceQuestion | null): void =>
  void bench.service.prices.set(
    symbol,
    question === null ? { data_health: 'current' } : { data_health: 'question', price_question: question },
  );

async function up(): Promise<CoreRig> {
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
  return bench.up({
    profile: { name: 'live', environment: 'production', baseUrl: 'http://127.0.0.1:18787' },
    key: LIVE_KEY,
  });
}

test('a price that changes no state is notified once, critically, across restarts and failed polls, and withdrawn with its answer', async () => {
  const first = await up();
  ask('SPY', QUESTION);
  ask('ZZZ', QUESTION);
  await bench.clock.advance(POLLED);
  expect(asked(first)).toMatchObject([
    { title: expect.stringContaining('SPY'), body: expect.stringContaining(REASON), urgency: 'critical' },
  ]);
  expect(asked(first)[0]?.title).not.toContain('ZZZ');
  await bench.clock.advance(POLLED);
  await bench.down(first);
  bench.service.fault = ({ path }) => (path === '/snapshot' ? 'unreachable' : null);
  const second = await up();
  await bench.clock.advance(POLLED);
  bench.service.fault = null;
  await bench.clock.advance(POLLED);
  expect([...asked(first), ...asked(second)]).toHaveLength(1);
  expect(second.withdrawn).toEqual([]);
  ask('SPY', { ...QUESTION, counts_as: 'split' });
  await bench.clock.advance(POLLED);
  expect(second.withdrawn).toEqual(asked(first).map(({ id }) => id));
});

test('a High Risk that rests on a price says so in its own notification, and its withdrawal follows with the reason', async () => {
  const rig = await up();
  ask('SPY', QUESTION);
  const raised = bench.service.emit('SPY', 2, { in_question: 'open', note: `${REASON}. It closed lower.` });
  await bench.clock.advance(POLLED);
  expect(rig.shown).toMatchObject([
    { title: 'SPY is High Risk, if its price is right', body: expect.stringContaining(REASON), urgency: 'critical' },
  ]);
  ask('SPY', null);
  const why = 'High Risk is withdrawn, because it rested on a fault of the data.';
  bench.service.emit('SPY', 0, { in_question: 'withdrawn', note: why });
  await bench.clock.advance(POLLED);
  expect(rig.shown).toMatchObject([{}, { title: 'SPY: High Risk is withdrawn', body: expect.stringContaining(why) }]);
  expect(rig.withdrawn).toEqual(notificationIds(raised));
  // What was wrong asks for nothing more, also after the next change.
  bench.service.emit('SPY', 1);
  await bench.clock.advance(POLLED);
  const wrong = rig.snapshot().alerts.find(({ transition }) => transition.event_id === raised.event_id);
  expect(wrong?.needs_attention).toBe(false);
  await bench.down(rig);
  const listed = await inbox(await up(), {});
  expect(listed.map(({ alert }) => alert.transition.in_question)).toEqual([undefined, 'withdrawn', 'open']);
});
