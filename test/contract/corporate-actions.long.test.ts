// Contract: a service over price files follows halts, delistings, dividends and missing days.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  afterClose,
  bars,
  clock,
  eachInItsOwnFolder,
  folder,
  LAST,
  POLLED,
  passTo,
  pricesOf,
  signal,
  start,
  transitions,
  write,
} from '../harness/price-service.ts';

eachInItsOwnFolder();

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
