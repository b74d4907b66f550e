// Test: an impossible date is reported, and hides neither its own event nor later ones.
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { event } from '../../../test/harness/ledger-bench.ts';
import { createWorldClock } from '../time/world-clock.ts';
import { createDateCheck, type DateCheckDeps } from './dates.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const inTime = (ms: number): string => timestamp(bench.clock.now() + ms);
const said = (rig: CoreRig): string[] =>
  rig.snapshot().gaps.flatMap(({ cause }) => (cause.code.startsWith('event.') ? [textOf(cause)] : []));

/** The event as a source without ids sends it. */
function withoutIds({ event, timestamp: at, data }: EventEnvelope): string {
  const { event_id: _, ...fields } = 'event_id' in data ? data : { event_id: '', ...data };
  return JSON.stringify({ event, timestamp: at, data: fields });
}

const DATES: readonly [string, () => string][] = [
  ['six minutes ahead', () => inTime(6 * MINUTE)],
  ['a year ahead', () => inTime(365 * DAY)],
  ['in the year 9999', () => '9999-12-31T23:59:59.000Z'],
  ['31 days old', () => inTime(-31 * DAY)],
  ['of 1970', () => '1970-01-21T12:00:00.000Z'],
];

describe.each(DATES)('a High Risk dated %s', (_, date) => {
  test.each([
    ['by the stream', false],
    ['by the list alone', true],
  ])('%s: notified, shown in its time, said, and hides nothing after it', async (_source, deaf) => {
    const rig = await bench.up();
    bench.service.emit('SPY', 1);
    await bench.clock.advance(10_000);
    bench.service.deaf = deaf;
    const stated = date();
    const odd = bench.service.emit('SPY', 2, { at: stated });
    bench.service.deaf = false;
    bench.service.cut();
    await bench.clock.advance(20_000);
    expect(namedIds(rig)).toEqual(notificationIds(odd));
    expect(said(rig)).toEqual([expect.stringContaining(`is dated ${stated}, which cannot be`)]);
    const [alert] = rig.snapshot().alerts;
    expect(alert).toMatchObject({ transition: { event_id: odd.event_id }, needs_attention: true });
    expect(Math.abs(Date.parse(alert?.transition.occurred_at ?? '') - bench.clock.now())).toBeLessThan(MINUTE);
    // Repeats with and without its id merge.
    bench.service.write(`event: signal.high_risk\ndata: ${withoutIds(odd)}\n\n`);
    await bench.clock.advance(5_000);
    bench.service.cut();
    await bench.clock.advance(20_000);
    const next = bench.service.emit('SPY', 0);
    const last = bench.service.emit('QQQ', 2);
    await bench.clock.advance(20_000);
    expect(namedIds(rig)).toEqual(notificationIds(odd, last));
    expect(rig.snapshot().ledger.events).toBe(4);
    expect(rig.snapshot().rows.find(({ symbol }) => symbol === 'SPY')?.signal?.state).toBe(0);
    expect(
      rig
        .snapshot()
        .alerts.map(({ transition }) => transition.event_id)
        .slice(0, 2)
        .sort(),
    ).toEqual([next.event_id, last.event_id].sort());
  });
});

test.each([
  ['four minutes ahead', 4 * MINUTE],
  ['29 days old', -29 * DAY],
])('a date %s is taken as it is', async (_, by) => {
  const rig = await bench.up();
  const at = inTime(by);
  bench.service.emit('SPY', 2, { at });
  await bench.clock.advance(5_000);
  expect(rig.snapshot().alerts[0]?.transition.occurred_at).toBe(at);
  expect(said(rig)).toEqual([]);
});

test('the first reading of a log takes old dates as they are, and after a downtime of 40 days so does the next', async () => {
  const first = bench.service.emit('SPY', 1, { at: inTime(-50 * DAY) });
  let rig = await bench.up();
  await bench.down(rig);
  await bench.clock.advance(1_000);
  bench.clock.jump(40 * DAY);
  const old = bench.service.emit('SPY', 2, { at: inTime(-39 * DAY) });
  rig = await bench.up();
  await bench.clock.advance(5_000);
  expect(said(rig)).toEqual([]);
  expect(rig.core.entries(0, 9).map(({ event_id, occurredAt }) => [event_id, timestamp(occurredAt)])).toEqual([
    [first.event_id, first.timestamp],
    [old.event_id, old.timestamp],
  ]);
});

test('two impossible dates of one symbol and state are two events', async () => {
  const rig = await bench.up();
  const events = [1, 2, 3].map((days) => bench.service.emit('SPY', 2, { at: inTime(days * 365 * DAY) }));
  await bench.clock.advance(5_000);
  expect(rig.core.entries(0, 9).map(({ event_id }) => event_id)).toEqual(events.map(({ event_id }) => event_id));
  expect(said(rig)[0]).toMatch(/^3 events/);
});

test('a service that comes back with another clock is asked for its time before its list is read', async () => {
  const rig = await bench.up();
  bench.service.emit('SPY', 1);
  await bench.clock.advance(5_000);
  bench.service.cut();
  bench.service.fault = () => 'unreachable';
  await bench.clock.advance(65_000);
  bench.service.worldOffset += 3 * 60 * MINUTE;
  const missed = bench.service.emit('SPY', 2, { at: inTime(bench.service.worldOffset) });
  // The list answers first, and the time a little later.
  let isListRead = false;
  const healed = bench.clock.now();
  bench.service.fault = ({ path }) => {
    isListRead ||= path === '/events';
    return path === '/' && !isListRead && bench.clock.now() < healed + 20_000 ? 'unreachable' : null;
  };
  await bench.clock.advance(60_000);
  expect(said(rig)).toEqual([]);
  expect(rig.snapshot().alerts[0]?.transition).toMatchObject({
    event_id: missed.event_id,
    occurred_at: missed.timestamp,
  });
  expect(namedIds(rig)).toContain(`barograph:${missed.event_id}`);
});

/** The service's clock says the time of this computer's, at speed 1. */
function checkAtSpeedOne(ledger: DateCheckDeps['ledger']) {
  const world = createWorldClock(bench.clock);
  world.sample(bench.clock.now(), bench.clock.now(), 1);
  return createDateCheck({ world, ledger }, 'backfill');
}

test('an event dated before a known transition is not ahead: the local clock was set back', () => {
  const now = bench.clock.now();
  const newest = now + 50 * MINUTE;
  const check = checkAtSpeedOne({
    metadata: { get: () => null, set: () => undefined },
    newestTransition: () => newest,
  });
  const at = (occurredAt: number) => check({ ...event(1), occurredAt }).occurredAt - now;
  expect([at(newest - MINUTE), at(newest), at(newest + MINUTE)]).toEqual([49 * MINUTE, 50 * MINUTE, 50 * MINUTE]);
});

test('after an outage an event ahead of a stopped clock has its date until that clock is read again', () => {
  const now = bench.clock.now();
  const world = createWorldClock(bench.clock);
  const ledger = { metadata: { get: () => null, set: () => undefined }, newestTransition: () => null };
  const at = (): number =>
    (createDateCheck({ world, ledger }, 'backfill')({ ...event(1), occurredAt: now + 120 * MINUTE }).occurredAt - now) /
    MINUTE;
  world.sample(now, now, 0);
  const heard = at();
  world.lost();
  const lost = at();
  world.sample(now, now, 0);
  expect([heard, lost, at()]).toEqual([0, 120, 0]);
});

test('history of a log is not notified when the local clock is set back during the first reading', async () => {
  for (let index = 0; index < 134; index += 1)
    bench.service.emit('SPY', index % 2 === 0 ? 2 : 1, { at: inTime((index - 134) * 20_000) });
  bench.service.fault = ({ path, url }) => (path === '/events' && url.searchParams.has('after') ? 'unreachable' : null);
  const rig = bench.rig();
  await rig.core.start();
  await bench.clock.advance(2_000);
  bench.service.emit('QQQ', 1);
  await bench.clock.advance(7_000);
  bench.clock.jump(-50 * MINUTE);
  bench.service.worldOffset = 50 * MINUTE;
  bench.service.fault = null;
  await bench.clock.advance(2 * MINUTE);
  expect(rig.shown.filter(({ id }) => !id.startsWith('barograph:outage:'))).toEqual([]);
  expect(rig.snapshot().ledger.events).toBe(135);
});

test('an event dated after the baseline is neither ahead nor before it: the local clock was set back during the first reading', () => {
  const now = bench.clock.now();
  const baseline = now + 8 * MINUTE;
  const check = checkAtSpeedOne({
    metadata: { get: (name) => (name === 'baseline' ? timestamp(baseline) : null), set: () => undefined },
    newestTransition: () => baseline - 4 * MINUTE,
  });
  const at = (minutes: number) =>
    (check({ ...event(1), occurredAt: baseline + minutes * MINUTE }).occurredAt - baseline) / MINUTE;
  expect([at(-2), at(1), at(4), at(6)]).toEqual([-2, 1, 4, 0]);
});
