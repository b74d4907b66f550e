// Contract: what the endpoints say, and that they agree with one another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EventEnvelopeSchema, isSignalEvent } from '../../shared/wire/events.ts';
import { HistoryPointSchema, type Transition, TransitionSchema } from '../../shared/wire/records.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'burst' });
});
afterAll(() => sandbox.service.close());

const whole = async <Row extends z.ZodType>(url: string, row: Row): Promise<z.output<Row>[]> =>
  z.array(row).parse(await sandbox.whole(url));
const days = (symbol: string) => whole(`/history?symbol=${symbol}`, HistoryPointSchema);
const transitionsOf = (query: string) => whole(`/alert-transitions${query}`, TransitionSchema);
const log = () => whole('/events', EventEnvelopeSchema);
const code = (answer: { status: number; body: { code: string } }) => [answer.status, answer.body.code];

describe('/snapshot and /signal', () => {
  test('every row of the snapshot is the signal of its symbol; regime-only symbols and inputs have none', async () => {
    const { body } = await sandbox.get('/snapshot');
    expect(body.data.map((row: { symbol: string }) => row.symbol)).toEqual(
      [...body.data.map((row: { symbol: string }) => row.symbol)].sort(),
    );
    for (const row of body.data) expect((await sandbox.get(`/signal?symbol=${row.symbol}`)).body).toEqual(row);
    for (const symbol of ['BTC', 'ETH', 'EURUSD', 'GBPUSD', 'VIX']) {
      expect(code(await sandbox.get(`/signal?symbol=${symbol}`))).toEqual([404, 'symbol_not_covered']);
      expect(body.data.some((row: { symbol: string }) => row.symbol === symbol)).toBe(false);
    }
  });

  test('symbols are case-insensitive; malformed ones are 400, unknown ones 404, none is 400', async () => {
    expect((await sandbox.get('/signal?symbol=spy')).body.symbol).toBe('SPY');
    for (const symbol of ['', 'S%20P', 'SPY;DROP', 'ABCDEFGHIJKLMNOP', '%F0%9F%98%80', 'SPY&symbol=QQQ']) {
      expect(code(await sandbox.get(`/signal?symbol=${symbol}`))).toEqual([400, 'invalid_request']);
    }
    for (const symbol of ['NOPE', '^GSPC', 'A.B', 'EUR=X', 'BRK-B', 'BTC']) {
      expect(code(await sandbox.get(`/signal?symbol=${encodeURIComponent(symbol)}`))).toEqual([
        404,
        'symbol_not_covered',
      ]);
    }
    expect(code(await sandbox.get('/signal'))).toEqual([400, 'invalid_request']);
  });

  test('a signal has consistent times and numbers', async () => {
    for (const row of (await sandbox.get('/snapshot')).body.data) {
      expect(Date.parse(row.since)).toBeLessThanOrEqual(SANDBOX_START);
      expect(Date.parse(row.decided_at)).toBeLessThanOrEqual(SANDBOX_START);
      expect(Date.parse(row.decided_at)).toBeGreaterThan(SANDBOX_START - 2 * MINUTE);
      expect(Date.parse(row.next_decision_at)).toBeGreaterThan(SANDBOX_START);
      expect(row.note).toMatch(/21-day high/);
      expect(Math.round(row.confidence * 10)).toBe(row.confidence * 10);
    }
  });
});

describe('/history', () => {
  test('a range is inclusive; one before the beginning is an empty page; a wrong one is 400', async () => {
    const rows = await days('SPY');
    const [from, to] = [rows[10]?.timestamp, rows[19]?.timestamp];
    expect((await sandbox.get(`/history?symbol=SPY&from=${from}&to=${to}`)).body.data).toEqual(rows.slice(10, 20));
    expect((await sandbox.get('/history?symbol=SPY&from=2001-01-01&to=2001-02-01')).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      data_health: 'current',
      data_age_seconds: 1,
    });
    const offset = encodeURIComponent('2026-02-01T02:00:00+02:00');
    expect((await sandbox.get(`/history?symbol=SPY&from=${offset}`)).body).toEqual(
      (await sandbox.get('/history?symbol=SPY&from=2026-02-01')).body,
    );
    for (const form of ['2026-02-01T00:00:00', '20260201', '2026-02-01T00:00', '20260201T0000Z', '2026-01-31T24:00'])
      expect((await sandbox.get(`/history?symbol=SPY&from=${form}`)).body).toEqual(
        (await sandbox.get('/history?symbol=SPY&from=2026-02-01')).body,
      );
    for (const bad of [
      'from=2026-02-01T25:00',
      'from=yesterday',
      'from=1700000000',
      'from=2026-13-01',
      'from=2026-03-01&to=2026-02-01',
      'to=',
    ]) {
      expect(code(await sandbox.get(`/history?symbol=SPY&${bad}`))).toEqual([400, 'invalid_request']);
    }
  });
});

describe('/events and /alert-transitions', () => {
  test('the log numbers its events without holes, ids sort by time, and transitions are the same events newest first', async () => {
    const events = await log();
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const ids = events.map((event) => event.event_id);
    expect(new Set(ids).size).toBe(ids.length);
    const byTime = events.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    expect(byTime).toEqual(events);
    const timePart = ids.map((id) => id.slice(0, 14));
    expect(timePart).toEqual([...timePart].sort());
    expect(Date.parse(events[0]?.timestamp ?? '')).toBeGreaterThanOrEqual(SANDBOX_START - 7 * DAY);

    const transitions = await transitionsOf('');
    const signals = events.filter(isSignalEvent).map((event) => event.data);
    const key = (row: Transition): string => `${row.occurred_at} ${row.event_id}`;
    expect(transitions.map(key).toSorted()).toEqual(signals.map(key).toSorted());
    expect(transitions.map((row) => row.occurred_at)).toEqual(
      transitions
        .map((row) => row.occurred_at)
        .toSorted()
        .reverse(),
    );
  });

  test('each symbol walks from state to state: every transition begins where the last one ended, and the signal stands where the last one led', async () => {
    const transitions = (await transitionsOf('')).toReversed();
    const states = new Map<string, number>();
    const times = new Map<string, number>();
    for (const row of transitions) {
      const before = states.get(row.symbol);
      if (before !== undefined) expect(row.from_state).toBe(before);
      expect(row.from_state).not.toBe(row.to_state);
      const at = Date.parse(row.occurred_at);
      // Rises happen at once.
      if (row.to_state < row.from_state) expect(at - (times.get(row.symbol) ?? 0)).toBeGreaterThanOrEqual(5 * MINUTE);
      states.set(row.symbol, row.to_state);
      times.set(row.symbol, at);
    }
    for (const row of (await sandbox.get('/snapshot')).body.data) {
      expect(row.state).toBe(states.get(row.symbol));
      expect(Date.parse(row.since)).toBe(times.get(row.symbol));
    }
  });

  test('/events continues after an id that it gave', async () => {
    const events = await log();
    const { body } = await sandbox.get(`/events?after=${events[99]?.event_id}&limit=3`);
    expect(body.data).toEqual(events.slice(100, 103));
    expect(body.next_cursor).toBe(events[102]?.event_id);
    const end = await sandbox.get(`/events?after=${events.at(-1)?.event_id}`);
    expect(end.body).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});
