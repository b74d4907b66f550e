// Faults: a foreign service whose /alerts has a High Risk that its transitions and its stream lack.
import { expect, test } from 'vitest';
import { connectionOf, namedIds, setUpCoreBench } from '../harness/core-bench.ts';
import { createForeignService } from '../harness/foreign-service.ts';
import { WIRE_SYMBOLS } from '../harness/wire-service.ts';

const bench = setUpCoreBench();
const HOUR = 3_600_000;

test('an alert that only /alerts lists is recorded once with its end, and those of known transitions are none', async () => {
  const service = createForeignService(bench.clock, WIRE_SYMBOLS, {});
  const iso = (ms: number): string => new Date(ms).toISOString();
  let rows: object[] = [];
  service.fault = ({ path }) =>
    path === '/alerts' ? new Response(JSON.stringify({ data: rows, has_more: false }), { status: 200 }) : null;
  service.enter('SPY', 1);
  const rig = bench.rig({ service, profile: { baseUrl: service.url } });
  await rig.core.start();
  rig.core.handlers['connection.trust']({});
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(10_000);
  const known = service.enter('SPY', 2);
  await bench.clock.advance(10_000);
  const now = bench.clock.now();
  rows = [
    { id: 9, symbol: 'QQQ', state: 'active', peak_state: 2, started_at: iso(now - 5_000), ended_at: null },
    { id: 8, symbol: 'IWM', peak_state: 'High Risk', started_at: iso(now - 5_000), ended_at: iso(now - 1_000) },
    { id: 7, symbol: 'SPY', peak_state: 2, started_at: iso(known.at - HOUR), ended_at: null },
    { id: 6, symbol: 'AAPL', state: 'active', started_at: iso(now) },
  ];
  for (let count = 0; count < 3; count += 1) {
    service.cut();
    await bench.clock.advance(130_000);
  }
  const recorded = rig.core.entries(0, 100).map(({ symbol, transition }) => `${symbol} ${transition?.to_state}`);
  expect(recorded.sort()).toEqual(['IWM 0', 'IWM 2', 'QQQ 2', 'SPY 1', 'SPY 2']);
  expect(new Set(namedIds(rig)).size).toBe(namedIds(rig).length);
  expect(rig.shown.map(({ title, body }) => `${title} ${body}`).join('\n')).toMatch(/QQQ/);
});

test('of a service whose log was read, an alert that only /alerts lists is none while the log fails', async () => {
  const { service } = bench;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const ended = { id: 'alt_1', symbol: 'IWM', peak_state: 2, transitions: ['evt_before_the_log'] };
  const row = {
    ...ended,
    started_at: iso(bench.clock.now() - 40 * HOUR),
    ended_at: iso(bench.clock.now() - 30 * HOUR),
  };
  let isLogDown = false;
  service.fault = ({ path }) => {
    if (path === '/alerts') return new Response(JSON.stringify({ data: [row], has_more: false }), { status: 200 });
    return isLogDown && path.startsWith('/events') ? new Response('{}', { status: 503 }) : null;
  };
  service.emit('SPY', 2);
  const rig = await bench.up();
  isLogDown = true;
  for (let count = 0; count < 3; count += 1) {
    service.cut();
    await bench.clock.advance(130_000);
  }
  isLogDown = false;
  service.emit('QQQ', 2);
  await bench.clock.advance(130_000);
  expect(service.requests.filter(({ path }) => path.startsWith('/events')).length).toBeGreaterThan(4);
  const recorded = rig.core.entries(0, 100).map(({ symbol, transition }) => `${symbol} ${transition?.to_state}`);
  expect(recorded.sort()).toEqual(['QQQ 2', 'SPY 2']);
});
