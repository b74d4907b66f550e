// Test: the outage alarm in a whole core on a manual clock: delays, texts, one id, its end.
import { expect, test } from 'vitest';
import { dayTimeText, durationText } from '../../../shared/text/en/notification-times.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig, RigOptions } from '../../../test/harness/core-rig.ts';
import { LIVE_KEY } from '../../../test/harness/wire-service.ts';
import type { NotificationOutcome } from '../ports.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;
// The manual clock begins on Monday 2 March 2026 at 9:30 in New York.
const production: Partial<RigOptions> = {
  profile: { name: 'live', environment: 'production', baseUrl: 'http://127.0.0.1:18787' },
  key: LIVE_KEY,
};
const notices = (rig: CoreRig) => rig.shown.filter(({ id }) => id.startsWith('barograph:outage:'));
const goDark = (): void => {
  bench.service.cut();
  bench.service.fault = () => 'unreachable';
};
async function upInProduction(options: Partial<RigOptions> = {}): Promise<CoreRig> {
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
  return bench.up({ ...production, ...options });
}

test('an outage in market hours is notified after two minutes, under one id, which its end replaces', {
  tags: ['long'],
}, async () => {
  const rig = await upInProduction();
  await bench.clock.advance(10 * MINUTE);
  goDark();
  await bench.clock.advance(MINUTE + 50_000);
  expect(notices(rig)).toEqual([]);
  await bench.clock.advance(20_000);
  expect(notices(rig)).toMatchObject([
    {
      title: 'Not receiving data since 09:40 New York',
      urgency: 'critical',
      silent: false,
      body: expect.stringMatching(/^For 2 minutes of market time\. .+ You get no alerts until data returns\.$/),
    },
  ]);

  bench.service.fault = null;
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig).map(({ title }) => title)).toEqual([
    'Not receiving data since 09:40 New York',
    'Receiving data again',
  ]);
  expect(notices(rig)[1]).toMatchObject({
    urgency: 'normal',
    body: expect.stringMatching(/^No data from 09:40 New York, for \d minutes of market time\./),
  });
  // A row's id may have a suffix after an @; the desktop replaces by the part before it.
  expect(new Set(notices(rig).map(({ id }) => id)).size).toBe(1);
  await bench.clock.advance(60 * MINUTE);
  expect(notices(rig)).toHaveLength(2);
});

test('an outage states its times in the zone of the window', async () => {
  const rig = await upInProduction();
  await rig.core.handlers['notificationZone.save']({ zone: 'utc' });
  await bench.clock.advance(10 * MINUTE);
  goDark();
  await bench.clock.advance(3 * MINUTE);
  bench.service.fault = null;
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig)).toMatchObject([
    { title: 'Not receiving data since 14:40 UTC' },
    { body: expect.stringContaining('No data from 14:40 UTC, for ') },
  ]);
});

test('a long outage is notified again under the same id, at growing intervals', { tags: ['long'] }, async () => {
  const rig = await upInProduction();
  goDark();
  await bench.clock.advance(6 * 60 * MINUTE);
  const shown = notices(rig);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(1);
  // After 2, 32, 92 and 212 minutes.
  expect(shown).toHaveLength(4);
  expect(shown.at(-1)?.body).toMatch(/^For 3 hours \d+ minutes of market time\./);
});

test('outside of market hours: after thirty minutes; the sandbox trades around the clock', async () => {
  bench.clock.jump(12 * 60 * MINUTE);
  const rig = await upInProduction();
  goDark();
  await bench.clock.advance(29 * MINUTE);
  expect(notices(rig)).toEqual([]);
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig)).toMatchObject([{ body: expect.stringMatching(/^For 30 minutes\. /) }]);
  await bench.down(rig);

  bench.service.fault = null;
  bench.service.environment = 'sandbox';
  const sandbox = await bench.up({ folder: `${bench.folder}/sandbox` });
  goDark();
  await bench.clock.advance(3 * MINUTE);
  expect(notices(sandbox)).toMatchObject([
    { title: expect.stringMatching(/^\[SANDBOX\] Not receiving data since /), silent: true, urgency: 'normal' },
  ]);
});

test('a short outage, and a day of sleep, raise no alarm', async () => {
  const rig = await upInProduction();
  goDark();
  await bench.clock.advance(MINUTE);
  bench.service.fault = null;
  await bench.clock.advance(MINUTE);
  bench.clock.jump(24 * 60 * MINUTE);
  rig.core.wake('resume');
  bench.service.fault = () => 'unreachable';
  await bench.clock.advance(30_000);
  bench.service.fault = null;
  await bench.clock.advance(10 * MINUTE);
  expect(notices(rig)).toEqual([]);
});

test('an outage continues across a restart, under the same id', async () => {
  const first = await upInProduction();
  goDark();
  await bench.clock.advance(MINUTE + 30_000);
  await bench.down(first);
  // The service is still down when the program returns.
  const second = bench.rig(production);
  await second.core.start();
  await bench.clock.advance(MINUTE);
  expect(notices(second)).toHaveLength(1);
  expect(notices(second)[0]?.title).toBe('Not receiving data since 09:30 New York');
  await bench.down(second);
  const third = bench.rig(production);
  await third.core.start();
  await bench.clock.advance(MINUTE + 30_000);
  expect(notices(third)).toEqual([]);
  // After a reboot the desktop has lost the notification; where it has it still, this one replaces it.
  await bench.clock.advance(3 * MINUTE + 30_000);
  const { id } = notices(second)[0] ?? {};
  expect(notices(third)).toMatchObject([{ id, title: 'Not receiving data since 09:30 New York' }]);
  await bench.clock.advance(20 * MINUTE);
  expect(notices(third)).toHaveLength(1);
  bench.service.fault = null;
  await bench.clock.advance(2 * MINUTE);
  expect(notices(third).slice(1)).toMatchObject([{ id, title: 'Receiving data again' }]);
});

test('an outage that ended while the app did not run is not notified again after a restart', async () => {
  const first = await upInProduction();
  goDark();
  await bench.clock.advance(3 * MINUTE);
  expect(notices(first)).toHaveLength(1);
  await bench.down(first);
  bench.service.fault = null;
  const second = bench.rig(production);
  await second.core.start();
  await bench.clock.advance(30 * MINUTE);
  expect(notices(second)).toMatchObject([{ title: 'Receiving data again' }]);
});

test('a notification that a crash left pending is dispatched once more under its id; an outdated one is not', async () => {
  const never = (): Promise<NotificationOutcome> => new Promise(() => undefined);
  const first = await upInProduction({ show: never });
  goDark();
  await bench.clock.advance(3 * MINUTE);
  // Without an answer it is retried under the same id.
  expect(new Set(notices(first).map(({ id }) => id)).size).toBe(1);
  await bench.down(first);
  const second = bench.rig({ ...production, show: never });
  await second.core.start();
  await bench.clock.advance(1_000);
  expect(notices(second)).toMatchObject([
    { id: notices(first)[0]?.id, title: 'Not receiving data since 09:30 New York' },
  ]);
  await bench.down(second);
  const third = bench.rig(production);
  bench.service.fault = null;
  await third.core.start();
  await bench.clock.advance(5 * MINUTE);
  expect(notices(third).at(-1)).toMatchObject({ id: notices(first)[0]?.id, title: 'Receiving data again' });
  expect(notices(third).filter(({ title }) => title === 'Receiving data again')).toHaveLength(1);
});

test('a connection that is open and brings nothing new is an outage too', async () => {
  const rig = await upInProduction();
  await bench.clock.advance(MINUTE);
  // Signals do not change; every other endpoint answers.
  const { fetch } = bench.service;
  const old = await (await fetch(`${bench.service.url}/snapshot`, { headers: {} })).text();
  bench.service.fault = ({ path }) =>
    path === '/snapshot' ? new Response(old, { headers: { 'content-type': 'application/json' } }) : null;
  await bench.clock.advance(20 * MINUTE);
  expect(rig.snapshot().connection.indicators).toMatchObject({ open: { state: 'degraded' }, fresh: { state: 'down' } });
  expect(notices(rig)).toMatchObject([{ body: expect.stringContaining('every watched signal is overdue') }]);
  bench.service.fault = null;
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig).at(-1)).toMatchObject({ title: 'Receiving data again' });
});

test.each([429, 503])(
  'signals are stale while the service puts them off for an hour (%i), and that is notified',
  async (status) => {
    const rig = await upInProduction();
    await bench.clock.advance(MINUTE);
    bench.service.fault = ({ path }) =>
      path === '/snapshot' ? new Response('{}', { status, headers: { 'retry-after': '3600' } }) : null;
    await bench.clock.advance(6 * MINUTE);
    expect(rig.snapshot().connection.indicators).toMatchObject({ open: { state: 'ok' }, fresh: { state: 'down' } });
    expect(rig.snapshot().rows.filter(({ coverage, stale }) => coverage === 'full' && !stale)).toEqual([]);
    expect(notices(rig)).toMatchObject([{ body: expect.stringContaining('every watched signal is stale') }]);
    bench.service.fault = null;
    // The core obeys the requested pause.
    await bench.clock.advance(50 * MINUTE);
    expect(notices(rig).at(-1)?.title).not.toBe('Receiving data again');
    await bench.clock.advance(8 * MINUTE);
    expect(notices(rig).at(-1)).toMatchObject({ title: 'Receiving data again' });
  },
);

test('the minutes are a setting, stored beside rules and quiet hours', async () => {
  const rig = await upInProduction();
  expect(rig.core.handlers['alerting.read']({})).toMatchObject({
    outage_alarm: { market_minutes: 2, other_minutes: 30 },
  });
  await rig.core.handlers['outageAlarm.save']({ outage_alarm: { market_minutes: 10, other_minutes: 60 } });
  await rig.core.handlers['quiet.save']({ quiet: null });
  await bench.clock.advance(1_000);
  expect(rig.alertings.at(-1)).toMatchObject({ outage_alarm: { market_minutes: 10, other_minutes: 60 } });
  expect(rig.settings.alerting.rules).toHaveLength(1);
  goDark();
  await bench.clock.advance(9 * MINUTE);
  expect(notices(rig)).toEqual([]);
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig)).toHaveLength(1);
});

test('texts of times and durations', () => {
  const at = Date.parse('2026-03-02T19:02:00Z');
  expect(dayTimeText(at, at, 'market')).toBe('14:02 New York');
  expect(dayTimeText(at, at + 24 * 60 * MINUTE, 'market')).toBe('Mon 2 Mar 14:02 New York');
  expect([1_000, 9_400, MINUTE, 35 * MINUTE, 60 * MINUTE, 125 * MINUTE, 26 * 60 * MINUTE].map(durationText)).toEqual([
    '1 second',
    '9 seconds',
    '1 minute',
    '35 minutes',
    '1 hour',
    '2 hours 5 minutes',
    '1 day 2 hours',
  ]);
});
