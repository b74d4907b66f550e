// Contract: a running service makes no silent signal of faulty prices.
// It adjusts what is certain, asks about the rest, and takes back what rested on a fault.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Bar } from '../../service/engine/types.ts';
import { recordDecision } from '../../service/market/tape/record-decision.ts';
import { tapeFileOf } from '../../service/market/tape/tape-database.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import {
  afterClose,
  bars,
  clock,
  divided,
  eachInItsOwnFolder,
  folder,
  get,
  HOUR,
  key,
  LAST,
  POLLED,
  passTo,
  pricesOf,
  service,
  signal,
  start,
  transitions,
  write,
} from '../harness/price-service.ts';

eachInItsOwnFolder();

describe('a split that is not adjusted', () => {
  const split = divided(bars, LAST + 1, 4);

  test('and certain causes no transition: earlier prices are adjusted at once, and the signal says so', async () => {
    write(bars.slice(0, LAST + 1));
    await start(afterClose(LAST));
    const [before, told] = [await signal(), await transitions()];
    expect(before).toMatchObject({
      data_health: 'current',
      source: 'csv',
      data_as_of: new Date(afterClose(LAST) - HOUR).toISOString(),
    });
    expect(before.price_question).toBeUndefined();
    await passTo(LAST + 1, split);
    const after = await signal();
    expect(after).toMatchObject({
      data_health: 'current',
      state: before.state,
      price: split[LAST + 1]?.close,
      price_question: { date: bars[LAST + 1]?.date, ratio: '4:1', counts_as: 'split', doubt: 'split' },
    });
    expect(after.note).toMatch(/looks like a split 4:1 that is not adjusted .* the prices before it are adjusted/);
    expect(await transitions()).toEqual(told);
    expect(Math.max(...(await pricesOf()))).toBeLessThan(400);
  });

  describe('and undecided, because it traded more', () => {
    const { date, volume } = bars[LAST + 1] as Bar;
    const undecided = split.with(LAST + 1, { ...(split[LAST + 1] as Bar), volume: 4 * 3 * (volume ?? 0) });
    const answer = (body: object, on = date) =>
      service?.app.inject({
        method: 'POST',
        url: `/price-questions/AAPL/${on}`,
        headers: { 'x-api-key': key },
        payload: body,
      });

    beforeEach(async () => {
      write(bars.slice(0, LAST + 1));
      await start(afterClose(LAST));
      await passTo(LAST + 1, undecided);
    });

    test('is a High Risk that says on which price it rests, with cause and cure, at every endpoint', async () => {
      const asked = { date, price: undecided[LAST + 1]?.close, before: bars[LAST]?.close, ratio: '4:1' };
      const now = await signal();
      expect(now).toMatchObject({
        ...{ state: 2, data_health: 'question', price: asked.price },
        price_question: { ...asked, counts_as: 'price', doubt: 'split', state_before: 0 },
      });
      const cure = `\`confirm AAPL ${date}\` with --real, --split RATIO or --refuse`;
      expect([now.note, now.price_question.reason]).toEqual([
        expect.stringContaining(cure),
        expect.stringContaining(cure),
      ]);
      expect((await get('/snapshot')).data[0]).toEqual(now);
      const [last] = (await get('/alert-transitions?symbol=AAPL')).data;
      expect(last).toMatchObject({ to_state: 2, in_question: 'open', note: expect.stringContaining(cure) });
      // It stays until it is decided.
      await passTo(LAST + 6, undecided);
      expect((await signal()).note).toContain(cure);
    });

    test.each([
      [{ answer: 'split', ratio: '4:1' }, 'was a split 4:1', 0.25],
      [{ answer: 'no_price' }, 'it was no price', 1],
    ])('is withdrawn within seconds of the answer %j, with its reason', async (body, reason, level) => {
      const took = await answer(body);
      expect([took?.statusCode, took?.json()]).toEqual([200, body]);
      await clock.advance(POLLED);
      const now = await signal();
      expect(now).toMatchObject({ state: 0, data_health: 'current' });
      expect(now.price_question).toBeUndefined();
      expect(await pricesOf()).toContainEqual(expect.closeTo((bars[LAST]?.close ?? 0) * level, 3));
      const [last, before] = (await get('/alert-transitions?symbol=AAPL')).data;
      expect([before.in_question, last.in_question]).toEqual(['open', 'withdrawn']);
      expect(last.note).toMatch(/^High Risk is withdrawn, because it rested on a fault of the data\. AAPL .*/);
      expect(last.note).toContain(reason);
      await service?.close();
      await start(clock.now());
      expect(await signal()).toMatchObject({ state: 0, price: now.price });
    });

    test('stays a High Risk once the operator says that it is a price, and asks no more', async () => {
      const told = await transitions();
      expect((await answer({ answer: 'price' }))?.statusCode).toBe(200);
      await clock.advance(POLLED);
      expect(await signal()).toMatchObject({ state: 2, data_health: 'current' });
      expect((await signal()).price_question).toBeUndefined();
      expect(await transitions()).toEqual(told);
    });

    test('is settled by the command, and the same after a restart', async () => {
      const action = { kind: 'split', symbol: 'AAPL', date, factor: 0.25, note: null } as const;
      await passTo(LAST + 2, undecided);
      recordDecision(tapeFileOf(join(folder, 'service.db')), action, 1);
      await clock.advance(POLLED);
      const now = await signal();
      expect(now).toMatchObject({ data_health: 'current', state: 0, price: split[LAST + 2]?.close });
      await service?.close();
      await start(clock.now());
      expect(await signal()).toMatchObject({ state: 0, confidence: now.confidence, price: now.price });
    });
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

test('a rise in question does not end a High Risk', async () => {
  const fallen = bars.map((bar, index): Bar => {
    const level = index <= LAST ? 1 : 0.8;
    const prices = { open: bar.open * level, high: bar.high * level, low: bar.low * level, close: bar.close * level };
    return { ...bar, ...prices, volume: (bar.volume ?? 0) * (index === LAST + 1 ? 8 : 1) };
  });
  const printed = fallen.with(LAST + 8, { ...(fallen[LAST + 8] as Bar), close: 1_300, high: 1_300 });
  write(bars.slice(0, LAST + 1));
  await start(afterClose(LAST));
  for (let index = LAST + 1; index <= LAST + 7; index++) await passTo(index, printed);
  expect(await signal()).toMatchObject({ state: 2, data_health: 'current' });
  const told = await transitions();
  await passTo(LAST + 8, printed);
  const now = await signal();
  expect(now).toMatchObject({ state: 2, held_by: 'question', price: 1_300, data_health: 'question' });
  expect(now.note).toContain('The state stays until then.');
  await passTo(LAST + 9, printed);
  expect(await signal()).toMatchObject({ state: 2, data_health: 'current', price: fallen[LAST + 9]?.close });
  expect(await transitions()).toEqual(told);
});

test('a day that opens in the ratio of a split counts and asks, until the operator says what it is', async () => {
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
  const opening = [yesterday, hour(`${today}T10`, before / 2), hour(`${today}T11`, before / 2)];
  minutes(...opening);
  await passToHour(4);
  const asked = await signal();
  expect(asked).toMatchObject({ data_health: 'question', state: 2, price_question: { date: today, ratio: '2:1' } });
  expect(asked.note).toContain(`confirm AAPL ${today}`);
  const split = { kind: 'split', symbol: 'AAPL', date: today, factor: 0.5, note: null } as const;
  recordDecision(tapeFileOf(join(folder, 'service.db')), split, clock.now());
  minutes(...opening, hour(`${today}T12`, before * 0.502));
  await passToHour(3);
  expect(await signal()).toMatchObject({ data_health: 'current', state: 0 });
  expect((await signal()).price).toBeCloseTo(before * 0.502, 3);
  const [last] = (await get('/alert-transitions?symbol=AAPL')).data;
  expect(last).toMatchObject({ in_question: 'withdrawn', to_state: 0 });
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
});
