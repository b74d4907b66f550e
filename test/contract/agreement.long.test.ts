// Contract: answers about the same thing agree, over every symbol and day of the sandbox's world.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const DAY = 86_400_000;
const LOG_FROM = SANDBOX_START - 7 * DAY;
const ALL_SYMBOLS = 41;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ symbols: ALL_SYMBOLS });
}, 60_000);
afterAll(() => sandbox.service.close());

// biome-ignore lint/suspicious/noExplicitAny: rows of every list
type Row = any;
async function whole(url: string): Promise<Row[]> {
  const rows: Row[] = [];
  let after = '';
  for (;;) {
    const { body } = await sandbox.get(`${url}${url.includes('?') ? '&' : '?'}limit=100${after}`);
    rows.push(...body.data);
    if (!body.has_more) return rows;
    after = `&after=${encodeURIComponent(body.next_cursor)}`;
  }
}
const symbols = async (): Promise<string[]> => (await whole('/snapshot')).map(({ symbol }) => symbol);
const at = (row: Row): number => Date.parse(row.timestamp ?? row.occurred_at);

describe('events', () => {
  test('every transition that is pushed says its state as a signal does, beside from_state and to_state', async () => {
    const events = await whole('/events');
    const signals = events.filter(({ event }) => event.startsWith('signal.'));
    expect(signals.length).toBeGreaterThan(1_000);
    expect(signals.filter(({ data }) => data.state !== data.to_state)).toEqual([]);
    expect((await sandbox.get('/alert-transitions?limit=1')).body.data[0].state).toBeTypeOf('number');
  });
});

describe('/history and /alert-transitions', () => {
  test('a day says its closing state, its worst state and its changes as the log has them', async () => {
    let days = 0;
    const wrong: string[] = [];
    for (const symbol of await symbols()) {
      const steps = (await whole(`/alert-transitions?symbol=${symbol}`)).reverse();
      const rows = await whole(`/history?symbol=${symbol}`);
      for (const [index, row] of rows.entries()) {
        const before = index === 0 ? Number.NEGATIVE_INFINITY : at(rows[index - 1]);
        if (before < LOG_FROM) {
          if (row.changes !== null) wrong.push(`${symbol} ${row.timestamp}: changes before the log`);
          continue;
        }
        days += 1;
        const within = steps.filter((step) => at(step) > before && at(step) <= at(row));
        const last = steps.findLast((step) => at(step) <= at(row));
        const began = steps.findLast((step) => at(step) <= before) ?? { to_state: within[0]?.from_state ?? row.state };
        const worst = Math.max(began.to_state, ...within.map((step) => step.to_state));
        const expected = [last?.to_state ?? row.state, worst, within.length];
        const said = [row.state, row.worst_state, row.changes];
        if (said.join() !== expected.join()) wrong.push(`${symbol} ${row.timestamp}: ${said}, the log ${expected}`);
      }
    }
    expect(days).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  test("the model's reading of a close has fields of its own; where both say the same, so do the confidences", async () => {
    for (const symbol of ['SPY', 'QQQ']) {
      for (const row of await whole(`/history?symbol=${symbol}`)) {
        expect([0, 1, 2]).toContain(row.model_state);
        if (row.model_state === row.state && at(row) !== SANDBOX_START)
          expect(row.confidence).toBe(row.model_confidence);
      }
    }
  });
});

const REGIME_ONLY = ['BTC', 'ETH', 'EURUSD', 'GBPUSD'];
/** The most probable name of a map. */
const likeliest = (probabilities: Record<string, number>): string =>
  Object.entries(probabilities).reduce((best, one) => (one[1] > best[1] ? one : best))[0];

describe('/regime', () => {
  test('label, confidence and probabilities agree, and what the data favour instead is the candidate', async () => {
    const wrong: string[] = [];
    let [candidates, unconfirmed, asked] = [0, 0, 0];
    for (const symbol of [...(await symbols()), ...REGIME_ONLY]) {
      for (const days of [0, 1.3, 6, 20, 47, 80.5]) {
        const as_of = new Date(SANDBOX_START - days * DAY).toISOString();
        const { body } = await sandbox.get(`/regime/${symbol}?as_of=${as_of}`);
        const { regime, confidence, probabilities, candidate, decided_at, since } = body;
        const say = (what: string): void => void wrong.push(`${symbol} ${as_of}: ${what} ${JSON.stringify(body)}`);
        asked += 1;
        if (probabilities === null) {
          unconfirmed += 1;
          if (confidence !== null || decided_at !== null || candidate === null) say('unconfirmed');
        } else {
          if (likeliest(probabilities) !== regime) say('not the likeliest');
          if (Math.abs(confidence - 100 * probabilities[regime]) > 0.051) say('confidence');
          if (decided_at < since || decided_at > as_of) say('decided_at');
          if ((decided_at === as_of) !== (candidate === null)) say('candidate');
        }
        if (candidate === null) continue;
        candidates += 1;
        if (candidate.regime === regime || likeliest(candidate.probabilities) !== candidate.regime) say('candidate');
        if (candidate.closes_needed < 1 || candidate.closes_needed > 5) say('closes');
      }
    }
    expect(wrong).toEqual([]);
    expect(candidates).toBeGreaterThan(15);
    expect(unconfirmed).toBeLessThan(asked / 20);
  });
});

describe('a High Risk', () => {
  test('says by which rule it is held, and why where it is less likely than the base rate', async () => {
    const rows = await whole('/snapshot');
    for (const row of rows) expect(row.held_by === 'none').toBe(row.state === 0);
    const high = rows.filter(({ state }) => state === 2);
    expect(high.length).toBeGreaterThan(0);
    for (const { confidence, base_rate, note } of high)
      expect(/is below the base rate of .*: .+\.$/.test(note)).toBe(confidence < base_rate);
    for (const { data } of (await whole('/events')).filter(({ event }) => event.startsWith('signal.')))
      expect(data.held_by === 'none').toBe(data.to_state === 0);
  });

  test('that was triggered is held by request', async () => {
    const calm = (await whole('/snapshot?state=normal'))[0].symbol;
    await sandbox.trigger('signal.high_risk', calm);
    const { body } = await sandbox.get(`/signal?symbol=${calm}`);
    expect(body).toMatchObject({ state: 2, held_by: 'request' });
  });
});

describe('briefings', () => {
  test('those of the logged days are in the log, in order of time', async () => {
    const events = await whole('/events');
    const logged = events.filter(({ event }) => event === 'briefing.published');
    const listed = (await whole('/api/briefings')).filter(({ date }) => Date.parse(date) > LOG_FROM);
    expect(logged.length).toBeGreaterThan(20);
    const key = ({ id, type, title, author, date }: Row) => [date, id, type, title, author].join(' ');
    expect(logged.map(({ data }) => key(data)).sort()).toEqual(listed.map(key).sort());
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
    const ids = events.map(({ event_id }) => event_id.slice(0, 14));
    expect(ids).toEqual([...ids].sort());
  });

  test('count the changes of state that the log counts', async () => {
    const steps = await whole('/alert-transitions');
    let compared = 0;
    for (const { id, date } of await whole('/api/briefings')) {
      if (Date.parse(date) <= LOG_FROM) continue;
      const { body } = (await sandbox.get(`/api/briefings/${id}`)).body;
      const said = /(\d+) changes? since (.+?), on (\d+) symbols?: (\d+) into High Risk/.exec(body);
      if (said === null) continue;
      const [, changes, since = '', , high] = said;
      const from = /log began/.test(since)
        ? LOG_FROM
        : /yesterday/.test(since)
          ? Date.parse(date) - DAY
          : /Saturday/.test(since)
            ? Date.parse(date) - 7 * DAY
            : Math.floor((Date.parse(date) - 1) / DAY) * DAY;
      const within = steps.filter((step) => at(step) > from && at(step) <= Date.parse(date));
      compared += 1;
      expect([id, Number(changes)]).toEqual([id, within.length]);
      expect(Number(high)).toBe(within.filter((step) => step.to_state === 2).length);
    }
    expect(compared).toBeGreaterThan(4);
  });

  test('of a regime say what the data favour, in the words of /regime', async () => {
    const bodies = await Promise.all(
      (await whole('/api/briefings?type=deep')).map(async ({ id }) => (await sandbox.get(`/api/briefings/${id}`)).body),
    );
    const regimes = bodies.filter(({ body }) => body.includes('What the data give'));
    expect(regimes.length).toBeGreaterThan(0);
    for (const { body } of regimes) {
      const [, named = '', favoured] =
        /In force: ([A-Z][\w ]+?)(?: since [^;]+; the data favour ([A-Z][\w ]+?) \()?[.0-9]/.exec(body) ?? [];
      const rows = [...body.matchAll(/^\| ([A-Z][\w ]+) \| ([\d.]+) % \|$/gm)].map(
        ([, name, value]) => [name, Number(value)] as const,
      );
      const [best] = rows.sort((a, b) => b[1] - a[1]);
      expect(best?.[0]).toBe(favoured ?? named);
    }
  });
});
