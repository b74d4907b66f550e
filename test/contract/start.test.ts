// Contract: the service before it is ready, with a fast world, and with forced transitions.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import { churn } from '../../service/load.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { SANDBOX_KEY, SANDBOX_START, startSandbox } from '../harness/sandbox.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('before it is ready, what needs a key is 503 with Retry-After, and /health answers', async () => {
  const service = assemble(
    { world: { kind: 'sandbox', seed: 7, symbols: 1 }, time: { start: SANDBOX_START, speed: 0 }, file: ':memory:' },
    {
      clock: createManualClock(),
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
    },
  );
  service.admitKey(SANDBOX_KEY);
  const headers = { 'x-api-key': SANDBOX_KEY };
  const early = await service.app.inject({ url: '/snapshot', headers });
  expect([early.statusCode, early.json().code, early.headers['retry-after']]).toEqual([
    503,
    'temporarily_unavailable',
    '1',
  ]);
  expect((await service.app.inject('/health')).json()).toEqual({ status: 'ok' });
  expect((await service.app.inject('/health/live')).json()).toEqual({ status: 'ok' });
  const notReady = await service.app.inject('/health/ready');
  expect([notReady.statusCode, notReady.json().code]).toEqual([503, 'temporarily_unavailable']);
  expect((await service.app.inject('/snapshot')).statusCode).toBe(401);
  await service.start();
  expect((await service.app.inject('/health/ready')).json()).toEqual({ status: 'ready' });
  expect((await service.app.inject({ url: '/snapshot', headers })).statusCode).toBe(200);
  await service.close();
});

test('the log of a fast world begins at the same event however long the start takes', { tags: ['long'] }, async () => {
  const logAfter = async (startMs: number): Promise<unknown[]> => {
    const manual = createManualClock();
    // Each reading of the clock costs real time, as on a slow machine.
    let late = 0;
    const now = (): number => {
      late += startMs;
      return manual.now() + late;
    };
    const clock = { ...manual, now };
    const sandbox = await startSandbox({
      symbols: 2,
      scenario: 'flap',
      clock,
      time: { start: SANDBOX_START, speed: 3_600 },
    });
    const { body } = await sandbox.get('/events?limit=100');
    await sandbox.service.close();
    return body.data;
  };
  const log = await logAfter(20);
  expect(log).toHaveLength(100);
  expect(log).toEqual(await logAfter(0));
});

test('a day of the world in a wall second: everything is evaluated, in order, between answers', {
  tags: ['long'],
}, async () => {
  const sandbox = await startSandbox({
    symbols: 1,
    scenario: 'flap',
    time: { start: SANDBOX_START, speed: 86_400 },
  });
  await sandbox.clock.advance(3_500);
  const { body } = await sandbox.get('/');
  expect(body.time).toBe(new Date(SANDBOX_START + 3.5 * 86_400_000).toISOString());
  const newest = (await sandbox.get('/alert-transitions?limit=100')).body.data;
  expect(Date.parse(newest[0].occurred_at)).toBeGreaterThan(SANDBOX_START + 3 * 86_400_000);
  const points = (await sandbox.get('/history?symbol=SPY&from=2026-03-03')).body.data;
  expect(points.map((point: { timestamp: string }) => point.timestamp)).toEqual([
    '2026-03-03T00:00:00.000Z',
    '2026-03-04T00:00:00.000Z',
    '2026-03-05T00:00:00.000Z',
    '2026-03-06T00:00:00.000Z',
    body.time,
  ]);
  await sandbox.service.close();
});

test('--rate N is N forced transitions a second, one symbol after the other', async () => {
  const sandbox = await startSandbox({ symbols: 2, time: { start: SANDBOX_START, speed: 0 } });
  const after = (await sandbox.trigger('model.version')).body.data[0].event_id;
  const stop = churn(sandbox.service.signals, 40, sandbox.clock);
  await sandbox.clock.advance(2_000);
  stop();
  await sandbox.clock.advance(1_000);
  const { body } = await sandbox.get(`/events?after=${after}&limit=100`);
  const data = body.data.filter(({ event }: { event: string }) => event.startsWith('signal.'));
  expect(data).toHaveLength(80);
  expect(data.slice(0, 4).map((event: { data: { symbol: string } }) => event.data.symbol)).toEqual([
    'QQQ',
    'SPY',
    'QQQ',
    'SPY',
  ]);
  for (const event of data) expect(event.data.from_state).not.toBe(event.data.to_state);
  await sandbox.service.close();
});

test('a --rate above capacity emits at most a twentieth of a second at once, and catches up later', () => {
  const clock = createManualClock();
  const requestedCounts: number[] = [];
  const stop = churn({ churn: (count) => void requestedCounts.push(count) }, 10_000, clock);
  clock.jump(3_600_000);
  return clock.advance(1_000).then(() => {
    stop();
    expect(Math.max(...requestedCounts)).toBe(500);
    // One step every five milliseconds.
    expect(requestedCounts.reduce((sum, count) => sum + count, 0)).toBe(200 * 500);
  });
});
