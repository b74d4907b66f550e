// Contract: triggered events take the ordinary path, hold for five minutes, and leave pages stable.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ symbols: 2 });
});
afterAll(() => sandbox.service.close());

const signal = async (symbol: string) => (await sandbox.get(`/signal?symbol=${symbol}`)).body;
const last = async (count: number) => (await sandbox.get(`/alert-transitions?limit=${count}`)).body.data;

test('a triggered state occurs at once, is in the log under the same id, and is the state of the signal', async () => {
  await sandbox.trigger('signal.normal', 'SPY');
  const before = (await sandbox.get('/events?limit=100')).body;
  const { status, body } = await sandbox.trigger('signal.high_risk', 'spy');
  expect(status).toBe(200);
  expect(body.data).toHaveLength(1);
  const [event] = body.data;
  expect(event).toMatchObject({
    event: 'signal.high_risk',
    data: { symbol: 'SPY', from_state: 0, to_state: 2, state_name: 'high_risk' },
  });
  expect(event.event_id).toBe(event.data.event_id);
  expect((await last(1))[0]).toEqual(event.data);
  expect(await signal('SPY')).toMatchObject({ state: 2, since: event.timestamp });
  expect((await signal('SPY')).confidence).toBeTypeOf('number');
  expect(before.data[0].seq).toBe(1);
});

test('a symbol that is in the state already is moved to its lower neighbour first, from Normal to Elevated', async () => {
  for (const [event, neighbour, state] of [
    ['signal.high_risk', 1, 2],
    ['signal.elevated', 0, 1],
    ['signal.normal', 1, 0],
  ] as const) {
    await sandbox.trigger(event, 'QQQ');
    const { body } = await sandbox.trigger(event, 'QQQ');
    expect(
      body.data.map((one: { data: { from_state: number; to_state: number } }) => [
        one.data.from_state,
        one.data.to_state,
      ]),
    ).toEqual([
      [state, neighbour],
      [neighbour, state],
    ]);
    expect(body.data[1].seq).toBe(body.data[0].seq + 1);
    expect(body.data[1].event_id > body.data[0].event_id).toBe(true);
  }
});

test('a triggered state is held for five minutes of world time, then prices decide again', async () => {
  const { body } = await sandbox.trigger('signal.high_risk', 'SPY');
  expect(body.data.at(-1).data.from_state).not.toBe(2);
  await sandbox.clock.advance(4 * 60_000 + 59_000);
  expect((await signal('SPY')).state).toBe(2);
  await sandbox.clock.advance(2_000);
  const after = await signal('SPY');
  expect(after.state).not.toBe(2);
  expect(Date.parse(after.since)).toBe(Date.parse(body.data.at(-1).timestamp) + 5 * 60_000);
});

test('a triggered flip changes the regime, also of a regime-only symbol, and goes back after five minutes', async () => {
  expect((await sandbox.trigger('regime.flip', 'BTC')).status).toBe(200);
  const { regime: before, regime_as_of: closed } = await signal('SPY');
  expect(closed).toBe('2026-03-02T00:00:00.000Z');
  const { body } = await sandbox.trigger('regime.flip', 'SPY');
  expect((await signal('SPY')).regime_as_of).toBe(body.data[0].timestamp);
  expect(body.data[0].data).toMatchObject({ symbol: 'SPY', from_regime: before });
  const flipped = (await signal('SPY')).regime;
  expect(flipped).toBe(body.data[0].data.to_regime);
  expect(flipped).not.toBe(before);
  await sandbox.clock.advance(5 * 60_000 + 1_000);
  expect(await signal('SPY')).toMatchObject({ regime: before, regime_as_of: closed });
});

test('the other events can be triggered too; signal.created repeats the present state', async () => {
  const before = await signal('SPY');
  const { body } = await sandbox.trigger('signal.created', 'SPY');
  expect(body.data[0]).toMatchObject({
    event: 'signal.created',
    data: { symbol: 'SPY', state: before.state, confidence: before.confidence },
  });
  expect((await last(1))[0].event_id).not.toBe(body.data[0].event_id);
  expect((await sandbox.trigger('briefing.published')).body.data[0].data).toMatchObject({ type: 'deep' });
  expect((await sandbox.trigger('model.version')).body.data[0].data.previous).toBe(before.model_version);
  const log = (await sandbox.get(`/events?after=${body.data[0].event_id}`)).body.data;
  expect(log.map((event: { event: string }) => event.event)).toEqual(['briefing.published', 'model.version']);
});

test('confidence and note of the requested event may be given; the signal keeps its own', async () => {
  await sandbox.trigger('signal.high_risk', 'QQQ');
  const given = { confidence: 83.33, note: 'A rehearsal.' };
  const { status, body } = await sandbox.trigger('signal.high_risk', 'QQQ', given);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(2);
  expect(body.data[0].data.note).not.toBe('A rehearsal.');
  expect(body.data[1].data).toMatchObject({ to_state: 2, confidence: 83.3, note: 'A rehearsal.' });
  expect((await last(1))[0]).toEqual(body.data[1].data);
  expect((await signal('QQQ')).note).not.toBe('A rehearsal.');
});

test('signal.created announces the state that is given, and changes none', async () => {
  await sandbox.trigger('signal.normal', 'SPY');
  const before = await signal('SPY');
  const { body } = await sandbox.trigger('signal.created', 'SPY', { state: 2, confidence: 50 });
  expect(body.data).toHaveLength(1);
  expect(body.data[0].data).toMatchObject({ symbol: 'SPY', state: 2, state_name: 'high_risk', confidence: 50 });
  expect((await signal('SPY')).state).toBe(before.state);
});

test.each([
  ['signal.high_risk', { state: 1 }, /state: signal\.high_risk announces 2/],
  ['regime.flip', { note: 'x' }, /regime\.flip has none of its own/],
  ['briefing.published', { confidence: 5 }, /briefing\.published has none of its own/],
  ['signal.created', { state: 3 }, /state/],
  ['signal.created', { confidence: 101 }, /confidence/],
  ['signal.created', { note: 'x'.repeat(501) }, /note/],
])('%s with %j is refused, and nothing happens', async (event, overrides, said) => {
  const before = (await sandbox.get('/alert-transitions?limit=1')).body.data[0];
  const { status, body } = await sandbox.trigger(event, 'SPY', overrides);
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.message).toMatch(said);
  expect((await sandbox.get('/alert-transitions?limit=1')).body.data[0]).toEqual(before);
});

test('pages that were begun stay whole while rows are added', async () => {
  const rows: string[] = [];
  let after = '';
  for (;;) {
    const { body } = await sandbox.get(`/alert-transitions?symbols=SPY,QQQ&limit=9${after}`);
    rows.push(...body.data.map((row: { event_id: string }) => row.event_id));
    if (!body.has_more) break;
    after = `&after=${encodeURIComponent(body.next_cursor)}`;
    await sandbox.trigger('signal.high_risk', 'SPY');
  }
  expect(new Set(rows).size).toBe(rows.length);
  const fresh: string[] = [];
  after = '';
  for (;;) {
    const { body } = await sandbox.get(`/alert-transitions?limit=100${after}`);
    fresh.push(...body.data.map((row: { event_id: string }) => row.event_id));
    if (!body.has_more) break;
    after = `&after=${encodeURIComponent(body.next_cursor)}`;
  }
  expect(fresh.slice(fresh.indexOf(rows[0] as string))).toEqual(rows);
});

test('a hundred triggers at one frozen instant are a hundred events, in order', async () => {
  const frozen = await startSandbox({ symbols: 1, time: { start: SANDBOX_START, speed: 0 } });
  const ids: string[] = [];
  for (let round = 0; round < 50; round++) {
    const { body } = await frozen.trigger('signal.high_risk', 'SPY');
    ids.push(...body.data.map((event: { event_id: string }) => event.event_id));
  }
  expect(ids.length).toBeGreaterThanOrEqual(99);
  expect(ids).toEqual([...new Set(ids)].sort());
  await frozen.service.close();
});
