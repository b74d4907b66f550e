// Contract: a service whose evaluation hangs while its HTTP goes on says so.
import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { Service } from '../../service/service.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { SANDBOX_START, startSandbox } from '../harness/sandbox.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let service: Service;
afterEach(() => service.close());

test('an overdue evaluation is not ready, its clock stands, and no price counts as current', async () => {
  const clock = createManualClock();
  let hangs = false;
  const after: typeof clock.after = (ms, job) => clock.after(ms, () => hangs || job());
  service = assemble(
    { world: { kind: 'sandbox', seed: 1, symbols: 2 }, time: { start: clock.now(), speed: 1 }, file: ':memory:' },
    { clock: { now: clock.now, after }, logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:1' },
  );
  const key = service.admitKey(null) ?? '';
  await service.start();
  const ask = async (url: string) => {
    const { statusCode, body } = await service.app.inject({ url, headers: { 'x-api-key': key } });
    return { statusCode, ...JSON.parse(body) };
  };
  // The evaluation comes just after each second.
  await clock.advance(10_010);
  const began = clock.now();
  hangs = true;
  await clock.advance(25_000);
  expect(await ask('/health/ready')).toMatchObject({ statusCode: 200 });
  expect(await ask('/signal?symbol=SPY')).toMatchObject({ data_health: 'current' });
  await clock.advance(35_000);
  expect(await ask('/health/ready')).toMatchObject({ statusCode: 503, message: expect.stringContaining('overdue') });
  expect(await ask('/health')).toMatchObject({ statusCode: 200 });
  expect(Math.abs(Date.parse((await ask('/')).time) - began)).toBeLessThan(1_000);
  expect(await ask('/signal?symbol=SPY')).toMatchObject({
    statusCode: 200,
    data_health: 'delayed',
    data_delay_seconds: 60,
    note: expect.stringMatching(/^The service has evaluated no prices/),
  });
});

test('the evaluation of a clock at a hundredth of its speed is never overdue', async () => {
  const sandbox = await startSandbox({ time: { start: SANDBOX_START, speed: 0.01 } });
  service = sandbox.service;
  for (let minute = 0; minute < 3; minute++) {
    await sandbox.clock.advance(60_000);
    expect(await sandbox.get('/health/ready')).toMatchObject({ status: 200 });
  }
});
