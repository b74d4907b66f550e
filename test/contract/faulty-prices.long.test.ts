// Contract: a running service makes no signal of faulty prices.
// It reports the fault, waits, and uses later data.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { Bar } from '../../service/engine/types.ts';
import { recordDecision, tapeFileOf } from '../../service/market/tape/tape.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import { sp500 } from '../fixtures/sp500.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Four years, as a share; calm in the last one. */
const bars = sp500().slice(0, 1_045);
const HOUR = 3_600_000;
/** Longer than the poll of a folder. */
const POLLED = 3_000;

let folder = '';
let service: Service | null = null;
let key = '';
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-faulty-'));
});
afterEach(async () => {
  await service?.close();
  service = null;
  rmSync(folder, { recursive: true });
});

const write = (list: readonly Bar[]): void => {
  const rows = list.map(
    ({ date, open, high, low, close, volume }) => `AAPL,${date},${open},${high},${low},${close},${volume ?? ''}`,
  );
  writeFileSync(join(folder, 'AAPL.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
};
const afterClose = (index: number): number => sessionClose('us', bars[index]?.date ?? '') + HOUR;
const divided = (list: readonly Bar[], first: number, by: number): Bar[] =>
  list.map((bar, index) =>
    index < first
      ? bar
      : {
          ...bar,
          open: bar.open / by,
          high: bar.high / by,
          low: bar.low / by,
          close: bar.close / by,
          volume: (bar.volume ?? 0) * by,
        },
  );

async function start(at: number): Promise<void> {
  clock = createManualClock(at);
  service = assemble(
    { world: { kind: 'prices', folder }, time: REAL_TIME, file: join(folder, 'service.db') },
    {
      clock,
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
      plans: { plan: 'institutional' },
    },
  );
  key = service.admitKey(null) ?? key;
  await service.start();
}
/** Writes the prices and lets the time pass to an hour after a bar's close. */
async function passTo(index: number, list: readonly Bar[]): Promise<void> {
  write(list.slice(0, index + 1));
  clock.jump(afterClose(index) - clock.now());
  await clock.advance(POLLED);
}
const get = async (url: string) => (await service?.app.inject({ url, headers: { 'x-api-key': key } }))?.json();
const pricesOf = async (): Promise<number[]> =>
  (await get('/history?symbol=AAPL&limit=100')).data.map(({ price }: { price: number }) => price);
const signal = () => get('/signal?symbol=AAPL');
const transitions = async () =>
  (await get('/alert-transitions?symbol=AAPL')).data.map(({ event_id }: { event_id: string }) => event_id);

const LAST = bars.length - 12;

describe('a split that is not adjusted', () => {
  const split = divided(bars, LAST + 1, 4);

  test('causes no transition; health and note say what it waits for; prices that stand are adjusted to', async () => {
    write(bars.slice(0, LAST + 1));
    await start(afterClose(LAST));
    const [before, told] = [await signal(), await transitions()];
    expect(before).toMatchObject({
      data_health: 'current',
      source: 'csv',
      data_as_of: new Date(afterClose(LAST) - HOUR).toISOString(),
    });
    for (let index = LAST + 1; index <= LAST + 5; index++) {
      await passTo(index, split);
      expect(await signal()).toMatchObject({
        data_health: 'quarantined',
        state: before.state,
        price: before.price,
        data_as_of: before.data_as_of,
      });
      expect((await signal()).note).toMatch(/looks like a split that is not adjusted; it is not used until/);
    }
    await passTo(LAST + 6, split);
    expect(await signal()).toMatchObject({ data_health: 'current', price: split[LAST + 6]?.close });
    expect(await transitions()).toEqual(told);
    expect(Math.max(...(await pricesOf()))).toBeLessThan(400);
  });

  test('is used at once when the operator confirms it, and the same after a restart', async () => {
    write(bars.slice(0, LAST + 1));
    await start(afterClose(LAST));
    const told = await transitions();
    await passTo(LAST + 2, split);
    const action = {
      kind: 'split',
      symbol: 'AAPL',
      date: bars[LAST + 1]?.date ?? '',
      factor: 0.25,
      note: null,
    } as const;
    recordDecision(tapeFileOf(join(folder, 'service.db')), action, 1);
    await clock.advance(POLLED);
    const now = await signal();
    expect(now).toMatchObject({ data_health: 'current', price: split[LAST + 2]?.close });
    await service?.close();
    await start(clock.now());
    expect(await signal()).toMatchObject({
      data_health: 'current',
      state: now.state,
      confidence: now.confidence,
      price: now.price,
    });
    expect(await transitions()).toEqual(told);
  });

  test('and a history that its vendor adjusts by the next day: no transition either', async () => {
    write(bars.slice(0, LAST + 1));
    await start(afterClose(LAST));
    const told = await transitions();
    await passTo(LAST + 1, divided(bars, 0, 4));
    expect(await signal()).toMatchObject({ data_health: 'current', price: (bars[LAST + 1]?.close ?? 0) / 4 });
    expect(await transitions()).toEqual(told);
  });
});

test('a corrected close is used: history and signal are those of a service that never saw the wrong one', async () => {
  const wrong = bars.map((bar, index) =>
    index === LAST ? { ...bar, close: bar.close * 1.03, high: bar.high * 1.03 } : bar,
  );
  write(wrong.slice(0, LAST + 1));
  await start(afterClose(LAST));
  const told = await transitions();
  await passTo(LAST + 3, bars);
  const corrected = await signal();
  expect((await pricesOf()).slice(-4)).toEqual(bars.slice(LAST, LAST + 4).map(({ close }) => close));
  expect(await transitions()).toEqual(expect.arrayContaining(told));
  await service?.close();
  await start(clock.now());
  expect(await signal()).toMatchObject({
    confidence: corrected.confidence,
    note: corrected.note,
    base_rate: corrected.base_rate,
  });
});

test('a day that opens 35 % lower is quarantined, and says so, until the operator calls it a price', async () => {
  const { date, close: before } = bars[LAST] as Bar;
  const today = bars[LAST + 1]?.date ?? '';
  const minutes = (...rows: string[]): void =>
    writeFileSync(join(folder, 'hours.csv'), `symbol,time_et,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const hour = (at: string, price: number): string => `AAPL,${at}:00,${price},${price},${price},${price},`;
  const yesterday = hour(`${date}T15`, before);
  write(bars.slice(0, LAST + 1));
  minutes(yesterday);
  await start(afterClose(LAST));
  const passToHour = async (close: number): Promise<void> => {
    clock.jump(sessionClose('us', today) - close * HOUR - clock.now() + 60_000);
    await clock.advance(POLLED);
  };
  const opening = [yesterday, hour(`${today}T10`, before * 0.65), hour(`${today}T11`, before * 0.65)];
  minutes(...opening);
  await passToHour(4);
  expect(await signal()).toMatchObject({ data_health: 'quarantined', price: before, state: 0 });
  expect((await signal()).note).toContain(`confirm AAPL ${today} --real`);
  const real = { kind: 'real', symbol: 'AAPL', date: today, factor: null, note: null } as const;
  recordDecision(tapeFileOf(join(folder, 'service.db')), real, clock.now());
  minutes(...opening, hour(`${today}T12`, before * 0.64));
  await passToHour(3);
  expect(await signal()).toMatchObject({ data_health: 'current', state: 2 });
  expect((await signal()).price).toBeCloseTo(before * 0.64, 3);
});

describe('a day whose prices have another level that was announced', () => {
  const { date, close: before } = bars[LAST] as Bar;
  const today = bars[LAST + 1]?.date ?? '';
  const hour = (at: string, price: number): string => `AAPL,${at}:00,${price},${price},${price},${price},`;
  const minutes = (...rows: string[]): void =>
    writeFileSync(join(folder, 'hours.csv'), `symbol,time_et,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const yesterday = hour(`${date}T15`, before);
  const passToHour = async (close: number): Promise<void> => {
    clock.jump(sessionClose('us', today) - close * HOUR - clock.now() + 60_000);
    await clock.advance(POLLED);
  };

  test.each([
    ['a dividend', `dividend,${(before * 0.125).toFixed(6)}`, 0.875],
    ['a split 11:10', 'split,11:10', 10 / 11],
  ])('%s: no fall within the day, nor at its close, nor in what is said of it', async (_name, action, level) => {
    write(bars.slice(0, LAST + 1));
    writeFileSync(join(folder, 'actions.csv'), `symbol,date,action,ratio\nAAPL,${today},${action}\n`);
    minutes(yesterday);
    await start(afterClose(LAST));
    const [calm, told] = [await signal(), await transitions()];
    const price = before * level;
    minutes(yesterday, hour(`${today}T10`, price), hour(`${today}T11`, price));
    await passToHour(4);
    const open = await signal();
    expect(open).toMatchObject({ data_health: 'current', state: calm.state, change_pct: 0 });
    expect(open.price).toBeCloseTo(price, 4);
    expect(open.breach_level / price).toBeCloseTo(calm.breach_level / before, 2);
    // The same share of its high, and of the way to a breach, as at the close before.
    expect(open.note.slice(0, 40)).toBe(calm.note.replace('Closed', 'Trades').slice(0, 40));
    const regime = await get('/regime/AAPL');
    expect(regime).toMatchObject({ change_pct: 0 });
    expect(regime.price).toBeCloseTo(price, 4);
    expect(await transitions()).toEqual(told);
    await service?.close();
    await start(clock.now());
    expect(await signal()).toMatchObject({ state: calm.state, change_pct: 0, price: open.price });
    await passTo(LAST + 1, divided(bars, LAST + 1, 1 / level));
    expect(await signal()).toMatchObject({ data_health: 'current', state: calm.state });
    expect(await transitions()).toEqual(told);
  });

  test('a fall beyond the dividend is one', async () => {
    write(bars.slice(0, LAST + 1));
    const amount = (before * 0.125).toFixed(6);
    writeFileSync(join(folder, 'actions.csv'), `symbol,date,action,ratio\nAAPL,${today},dividend,${amount}\n`);
    minutes(yesterday);
    await start(afterClose(LAST));
    minutes(yesterday, hour(`${today}T10`, before * 0.76), hour(`${today}T11`, before * 0.76));
    await passToHour(4);
    expect(await signal()).toMatchObject({ data_health: 'current', state: 2 });
    expect((await signal()).price).toBeCloseTo(before * 0.76, 3);
  });
});

test('a missing week is a gap until its rows come', async () => {
  write(bars.slice(0, LAST + 1));
  await start(afterClose(LAST));
  const holed = bars.filter((_, index) => index <= LAST || index > LAST + 5);
  write(holed.slice(0, LAST + 2));
  clock.jump(afterClose(LAST + 6) - clock.now());
  await clock.advance(POLLED);
  expect(await signal()).toMatchObject({ data_health: 'gap', price: bars[LAST + 6]?.close });
  expect((await signal()).note).toMatch(/5 sessions before it are missing/);
  await passTo(LAST + 7, bars);
  expect(await signal()).toMatchObject({ data_health: 'current' });
  expect((await pricesOf()).slice(-8)).toEqual(bars.slice(LAST, LAST + 8).map(({ close }) => close));
});

test('a delisting and a rename: the symbol says where it went, keeps its last price, and alerts no more', async () => {
  write(bars.slice(0, LAST + 1));
  await start(afterClose(LAST));
  const [before, told] = [await signal(), await transitions()];
  const day = bars[LAST + 1]?.date;
  writeFileSync(join(folder, 'actions.csv'), `symbol,date,action,note\nAAPL,${day},delisting,The symbol is PEAR now\n`);
  // A vendor goes on to send rows of the old symbol, and they fall.
  const falling = bars.map((bar, index) => {
    const by = 0.95 ** Math.max(0, index - LAST);
    const fallen = { open: bar.open * by, high: bar.high * by, low: bar.low * by, close: bar.close * by };
    return { ...bar, ...fallen, volume: (bar.volume ?? 0) * (by === 1 ? 1 : 6) };
  });
  await passTo(LAST + 6, falling);
  const after = await signal();
  expect(after).toMatchObject({ data_health: 'unlisted', state: before.state, data_as_of: before.data_as_of });
  expect(after.price).toBe(before.price);
  expect(after.note).toMatch(/AAPL trades no longer since .*: The symbol is PEAR now/);
  expect(await transitions()).toEqual(told);
});

test('a cash dividend of a folder that is not adjusted is no fall, and adjusts what was before', async () => {
  const paid = bars.map((bar, index) =>
    index <= LAST
      ? bar
      : { ...bar, open: bar.open * 0.9, high: bar.high * 0.9, low: bar.low * 0.9, close: bar.close * 0.9 },
  );
  write(bars.slice(0, LAST + 1));
  const amount = ((bars[LAST]?.close ?? 0) * 0.1).toFixed(6);
  const day = bars[LAST + 1]?.date;
  writeFileSync(join(folder, 'actions.csv'), `symbol,date,action,ratio\nAAPL,${day},dividend,${amount}\n`);
  await start(afterClose(LAST));
  const told = await transitions();
  await passTo(LAST + 2, paid);
  expect(await signal()).toMatchObject({ data_health: 'current', price: paid[LAST + 2]?.close });
  expect((await pricesOf()).at(-4)).toBeCloseTo((bars[LAST - 1]?.close ?? 0) * 0.9, 3);
  expect(await transitions()).toEqual(told);
});

test('a halt is said, and the state stands', async () => {
  write(bars.slice(0, LAST + 1));
  writeFileSync(join(folder, 'actions.csv'), `symbol,date,action,note\nAAPL,${bars[LAST]?.date},halt,news pending\n`);
  await start(afterClose(LAST));
  expect(await signal()).toMatchObject({ data_health: 'halted' });
  expect((await signal()).note).toMatch(/^Trading in AAPL is halted since .*: news pending\./);
});

test('files of a day that are written one after another: what is told does not depend on their order', {
  tags: ['long'],
}, async () => {
  const [first, rest] = [['A1', 'A2', 'A3'], Array.from({ length: 13 }, (_, n) => `Z${n}`)];
  const put = (symbols: readonly string[], upTo: number, factor: number): void => {
    for (const symbol of symbols) {
      const rows = bars.slice(0, upTo + 1).map(({ date, open, high, low, close }, index) => {
        const level = index > LAST ? factor : 1;
        return `${symbol},${date},${open * level},${high * level},${low * level},${close * level},`;
      });
      writeFileSync(join(folder, `${symbol}.csv`), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
    }
  };
  const seen = async (): Promise<unknown> => {
    const [{ price, state, data_health }, told] = [
      await get('/signal?symbol=A1'),
      await get('/alert-transitions?symbol=A1'),
    ];
    return { price, state, data_health, told: told.data.length };
  };
  put([...first, ...rest], LAST, 1);
  await start(afterClose(LAST));
  const before = await seen();
  put(first, LAST + 1, 0.86);
  clock.jump(afterClose(LAST + 1) - clock.now());
  await clock.advance(POLLED);
  const waiting = { ...(before as object), data_health: 'quarantined' };
  expect(await seen()).toEqual(waiting);
  // The rest says that the market fell, and its corrections say that it did not.
  put(rest, LAST + 1, 0.86);
  await clock.advance(POLLED);
  expect(await seen()).toMatchObject({ data_health: 'current', state: 2, told: 1 });
  put(rest, LAST + 1, 1);
  await clock.advance(POLLED);
  const running = await seen();
  expect(running).toMatchObject({ data_health: 'quarantined', price: (before as { price: number }).price });
  await service?.close();
  await start(clock.now());
  expect(await seen()).toEqual(running);
});
