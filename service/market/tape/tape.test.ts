// Service, market, tape, test: the record of received data: revisions, actions, and their effects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bar } from '../../engine/types.ts';
import { recordDecision } from './record-decision.ts';
import { openTape, readActions, type Tape } from './tape.ts';
import { tapeFileOf } from './tape-database.ts';

const bar = (date: string, close: number): Bar => ({ date, open: close, high: close, low: close, close, volume: 5 });
const arrival = (receivedAt: number) => ({ feed: 'csv', receivedAt });
const of = (...list: Bar[]) => new Map([['SPY', list]]);
const [MON, TUE, WED] = [bar('2020-03-02', 100), bar('2020-03-03', 101), bar('2020-03-04', 102)];

let folder = '';
let file = '';
const open: Tape[] = [];
const tapeOf = (): Tape => {
  const tape = openTape(file);
  open.push(tape);
  return tape;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tape-'));
  file = tapeFileOf(join(folder, 'service.db'));
});
afterEach(() => {
  for (const tape of open.splice(0)) tape.close();
  rmSync(folder, { recursive: true });
});
const rows = (): unknown[] => {
  const database = new SQLite(file, { readonly: true });
  const all = database
    .prepare('SELECT kind, date, close, received_at, revision FROM tape ORDER BY tape_seq')
    .raw()
    .all();
  database.close();
  return all;
};

it('keeps every revision with its receipt, gives the newest, and does not write known rows again', () => {
  const tape = tapeOf();
  expect(tape.record(of(MON, TUE), arrival(10), true)).toBe(2);
  expect(tape.record(of(MON, TUE, WED), arrival(20), false)).toBe(1);
  expect(tape.record(of(MON, bar('2020-03-03', 99), WED), arrival(30), false)).toBe(1);
  expect(tape.record(of(MON, bar('2020-03-03', 99), WED), arrival(40), false)).toBe(0);
  expect(rows()).toEqual([
    ['bar', '2020-03-02', 100, 10, 0],
    ['bar', '2020-03-03', 101, 10, 0],
    ['bar', '2020-03-04', 102, 20, 0],
    ['bar', '2020-03-03', 99, 30, 1],
  ]);
  expect([...(tapeOf().bars.get('SPY') ?? [])]).toEqual([MON, bar('2020-03-03', 99), WED]);
});

it('reports changes of the past: corrections, filled gaps, splits; not new bars or small corrections', () => {
  const tape = tapeOf();
  tape.record(of(MON, WED), arrival(1), true);
  expect(tape.version()).toBe(0);
  tape.record(of(MON, bar('2020-03-04', 102.04)), arrival(2), false);
  tape.record(of(bar('2020-03-05', 103)), arrival(2), false);
  expect(tape.version()).toBe(0);
  tape.record(of(TUE), arrival(3), false);
  expect(Object.fromEntries(tape.changedSince(0))).toEqual({ SPY: '2020-03-03' });
  const version = tape.version();
  tape.record(of(bar('2020-03-04', 105)), arrival(4), false);
  expect(Object.fromEntries(tape.changedSince(version))).toEqual({ SPY: '2020-03-04' });
  tape.recordActions([{ kind: 'split', symbol: 'SPY', date: '2020-03-05', factor: 0.25, note: null }], arrival(5));
  expect(Object.fromEntries(tape.changedSince(version))).toEqual({ SPY: '' });
});

it('a whole reading withdraws missing bars, which may come back; a partial reading withdraws nothing', () => {
  const tape = tapeOf();
  tape.record(of(MON, TUE, WED), arrival(1), true);
  tape.record(of(WED), arrival(2), false);
  expect(tape.bars.get('SPY')).toHaveLength(3);
  tape.record(of(TUE, WED), arrival(3), true);
  expect([...(tape.bars.get('SPY') ?? [])]).toEqual([TUE, WED]);
  expect([...(tapeOf().bars.get('SPY') ?? [])]).toEqual([TUE, WED]);
  tape.record(of(MON, TUE, WED), arrival(4), true);
  expect(rows().slice(3)).toEqual([
    ['withdrawn', '2020-03-02', 100, 3, 1],
    ['bar', '2020-03-02', 100, 4, 2],
  ]);
});

it('an operator decision reaches an open tape; the last decision counts', () => {
  const tape = tapeOf();
  tape.record(of(MON), arrival(1), true);
  expect(tape.refresh()).toBe(false);
  const action = { symbol: 'SPY', date: '2020-03-02', factor: null, note: null };
  recordDecision(file, { ...action, kind: 'refuse' }, 2);
  expect([tape.refresh(), tape.barActions('SPY', '2020-03-02')]).toMatchObject([true, { decision: 'refuse' }]);
  recordDecision(file, { ...action, kind: 'real' }, 3);
  tape.refresh();
  expect(tape.barActions('SPY', '2020-03-02')).toMatchObject({ decision: 'real' });
  expect(readActions(file).map(({ kind }) => kind)).toEqual(['refuse', 'real']);
  expect(() => recordDecision(file, { ...action, date: '2020-03-03', kind: 'real' }, 4)).toThrow(
    'has no price of SPY on 2020-03-03',
  );
  // The session in progress has no closed bar.
  const noon = Date.parse('2020-03-03T17:00:00Z');
  recordDecision(file, { ...action, date: '2020-03-03', kind: 'real' }, noon);
  expect([tape.refresh(), tape.barActions('SPY', '2020-03-03')]).toEqual([true, { decision: 'real' }]);
  for (const [symbol, date] of [
    ['SPY', '2020-03-05'],
    ['QQQ', '2020-03-03'],
  ] as const)
    expect(() => recordDecision(file, { ...action, symbol, date, kind: 'real' }, noon)).toThrow(
      `has no price of ${symbol}`,
    );
  expect(() => recordDecision(join(folder, 'none.db'), { ...action, kind: 'real' }, 4)).toThrow('no tape of prices');
});

it('a decision read together with actions of a feed changes its own symbol', () => {
  const tape = tapeOf();
  tape.record(new Map([...of(MON), ['QQQ', [MON]]]), arrival(1), true);
  const version = tape.version();
  recordDecision(file, { kind: 'refuse', symbol: 'SPY', date: '2020-03-02', factor: null, note: null }, 2);
  tape.recordActions(
    [{ kind: 'dividend', symbol: 'QQQ', date: '2020-03-02', factor: null, amount: 1, note: null }],
    arrival(3),
  );
  expect([...tape.changedSince(version).keys()]).toEqual(['QQQ']);
  expect(tape.refresh()).toBe(true);
  expect([...tape.changedSince(version).keys()].sort()).toEqual(['QQQ', 'SPY']);
  expect([tape.refresh(), tape.changedSince(version).size]).toEqual([false, 2]);
  // The process knows its own rows.
  tape.recordActions(
    [{ kind: 'dividend', symbol: 'QQQ', date: '2020-03-02', factor: null, amount: 2, note: null }],
    arrival(4),
  );
  expect(tape.refresh()).toBe(false);
});

it('a decision has the close of its date and the move from the previous close', () => {
  const tape = tapeOf();
  tape.record(of(MON, bar('2020-03-03', 105)), arrival(1), true);
  tape.record(of(bar('2020-03-03', 110)), arrival(2), false);
  const refuse = { kind: 'refuse', symbol: 'SPY', date: '2020-03-03', factor: null, note: null } as const;
  const decidedPrices = () => [tape, tapeOf()].map((one) => one.barActions('SPY', '2020-03-03')?.decidedPrice);
  expect(tape.recordActions([refuse], arrival(3))).toBe(1);
  expect(decidedPrices()).toEqual([
    { close: 110, move: 1.1 },
    { close: 110, move: 1.1 },
  ]);
  // A row of a file applies to the close known when it was read; another source may decide about another
  // price.
  tape.record(of(bar('2020-03-03', 120)), arrival(4), false);
  expect(tape.recordActions([refuse, { ...refuse, close: 110 }], arrival(5))).toBe(0);
  expect(tape.recordActions([{ ...refuse, close: 120 }], arrival(6))).toBe(1);
  expect(decidedPrices()[1]).toEqual({ close: 120, move: 1.2 });
  tape.record(of(bar('2020-03-03', 130)), arrival(7), false);
  recordDecision(file, refuse, 8);
  tape.refresh();
  expect(decidedPrices()).toEqual([
    { close: 130, move: 1.3 },
    { close: 130, move: 1.3 },
  ]);
});

it('dividends of a date received together add up; a later answer corrects them', () => {
  const tape = tapeOf();
  const paid = (amount: number) =>
    ({ kind: 'dividend', symbol: 'SPY', date: '2020-03-03', factor: null, amount, note: null }) as const;
  const dividend = () => [tape, tapeOf()].map((one) => one.barActions('SPY', '2020-03-03')?.dividend);
  expect(tape.recordActions([paid(0.2), paid(6.8)], arrival(1))).toBe(2);
  expect(dividend()).toEqual([7, 7]);
  // Another feed sends one of them, and the same feed sends all again.
  expect(tape.recordActions([paid(0.2)], { feed: 'other', receivedAt: 2 })).toBe(0);
  expect(tape.recordActions([paid(6.8), paid(0.2)], arrival(3))).toBe(0);
  expect(dividend()).toEqual([7, 7]);
  tape.recordActions([paid(0.25)], arrival(4));
  expect(dividend()).toEqual([0.25, 0.25]);
  // The second dividend of a date may come later than the first.
  tape.recordActions([paid(0.25), paid(3)], arrival(5));
  expect(dividend()).toEqual([3.25, 3.25]);
  const copy = openTape(null);
  copy.recordActions(readActions(file), { feed: 'tape', receivedAt: 0 });
  expect(copy.barActions('SPY', '2020-03-03')).toEqual({ dividend: 3.25 });
});

it('actions of dates without a bar apply to the next bar', () => {
  const tape = openTape(null);
  const action = { symbol: 'SPY', factor: null, note: null };
  tape.recordActions(
    [
      { ...action, kind: 'dividend', date: '2020-03-04', amount: 1 },
      { ...action, kind: 'split', date: '2020-03-03', factor: 0.5 },
      { ...action, kind: 'refuse', date: '2020-03-05' },
      { ...action, kind: 'refuse', date: '2020-03-03' },
      { ...action, kind: 'dividend', date: '2020-03-09', amount: 9 },
    ],
    arrival(1),
  );
  expect(tape.barActions('SPY', '2020-03-06', '2020-03-02')).toEqual({ factor: 0.5, dividend: 2 });
  expect(tape.barActions('SPY', '2020-03-05', '2020-03-04')).toEqual({ decision: 'refuse' });
  expect(tape.barActions('SPY', '2020-03-06', '2020-03-05')).toBeNull();
  expect(tape.barActions('SPY', '2020-03-06')).toBeNull();
  expect(tape.barActions('QQQ', '2020-03-06', '2020-03-02')).toBeNull();
});

it('a split or dividend of a day without a bar, repeated with a corrected date, counts once', () => {
  const tape = openTape(null);
  const split = { symbol: 'SPY', kind: 'split', factor: 0.25, note: null } as const;
  const dividend = { symbol: 'SPY', kind: 'dividend', factor: null, amount: 2, note: null } as const;
  const told = ['2020-03-07', '2020-03-09'].flatMap((date) => [
    { ...split, date },
    { ...dividend, date },
  ]);
  tape.recordActions([...told, { ...dividend, date: '2020-06-08' }], arrival(1));
  expect(tape.barActions('SPY', '2020-03-09', '2020-03-06')).toEqual({ factor: 0.25, dividend: 2 });
  // A quarter later, an equal dividend is a new one.
  expect(tape.barActions('SPY', '2020-06-08', '2020-03-06')?.dividend).toBe(2 + 2 / 0.25);
});

it('creates its folder, as a node of a cluster has no other file in it', () => {
  file = join(folder, 'new', 'service-tape.db');
  expect(tapeOf().record(of(MON), arrival(1), false)).toBe(1);
});

it('prices that differ in the ninth digit are equal, as files of adjusted prices are rewritten each night', () => {
  const tape = tapeOf();
  const days = ['2020-03-02', '2020-03-03'].map((date, n) => bar(date, 100 + n));
  const scaled = (factor: number) => new Map([['SPY', days.map((one) => ({ ...one, close: one.close * factor }))]]);
  expect(tape.record(scaled(1), arrival(1), true)).toBe(2);
  expect(tape.record(scaled(1 + 4e-9), arrival(2), true)).toBe(0);
  expect(tape.record(scaled(1 - 4e-9), arrival(3), true)).toBe(0);
  expect(tape.record(scaled(1 + 4e-8), arrival(4), true)).toBe(2);
});

it('a symbol that halts twice in a day is halted; a repeated message counts once', () => {
  const tape = openTape(null);
  const halt = (note: string) => ({ kind: 'halt', symbol: 'SPY', date: '2020-03-09', factor: null, note }) as const;
  const resume = { ...halt('09:50'), kind: 'resume' } as const;
  expect(
    [halt('09:35'), halt('09:35'), resume, halt('10:10'), resume].map((one) => tape.recordActions([one], arrival(1))),
  ).toEqual([1, 0, 1, 1, 0]);
  expect(tape.status('SPY', '2020-03-09')).toMatchObject({ kind: 'halt', note: '10:10' });
});

it('knows halts and delistings by date, and refuses the database of another program', () => {
  const tape = openTape(null);
  const action = { symbol: 'SPY', factor: null, note: null };
  tape.recordActions(
    [
      { ...action, kind: 'halt', date: '2020-03-03' },
      { ...action, kind: 'resume', date: '2020-03-05' },
    ],
    arrival(1),
  );
  expect(['2020-03-02', '2020-03-04', '2020-03-05'].map((date) => tape.status('SPY', date)?.kind)).toEqual([
    undefined,
    'halt',
    'resume',
  ]);
  const other = new SQLite(file);
  other.exec('CREATE TABLE a (b)');
  other.close();
  expect(() => openTape(file)).toThrow('is a database of another program');
});

it('keeps intraday bars with their revisions for a week, and the requested history of a feed', () => {
  const [noon, MINUTE, DAY] = [Date.parse('2020-03-02T12:00:00Z'), 60_000, 86_400_000];
  const minute = (start: number, close: number) => ({
    ...{ symbol: 'BTC', minute: { start, end: start + MINUTE, ...bar('2020-03-02', close) } },
  });
  const tape = tapeOf();
  tape.minutes.record([minute(noon, 100), minute(noon + MINUTE, 101)], arrival(noon));
  tape.minutes.record([minute(noon, 99)], arrival(noon + DAY));
  tape.minutes.recordHistory('BTC', '2015-01-01', arrival(noon));
  const again = tapeOf();
  expect(again.minutes.since(noon).map(({ start, close }) => [start - noon, close])).toEqual([
    [0, 100],
    [MINUTE, 101],
    [0, 99],
  ]);
  expect(again.minutes.since(noon + MINUTE).map(({ close }) => close)).toEqual([101]);
  expect(again.minutes.historySince('BTC', 'csv')).toBe('2015-01-01');
  expect(again.minutes.historySince('BTC', 'other')).toBeNull();
  again.minutes.record([minute(noon + 8 * DAY, 102)], arrival(noon + 8 * DAY));
  expect(again.minutes.since(0).map(({ close }) => close)).toEqual([102]);
});

it('deletes many old intraday bars over several records', () => {
  const [noon, MINUTE, DAY] = [Date.parse('2020-03-02T12:00:00Z'), 60_000, 86_400_000];
  const minute = (start: number) => ({
    ...{ symbol: 'BTC', minute: { start, end: start + MINUTE, ...bar('2020-03-02', 100) } },
  });
  const tape = tapeOf();
  const old = Array.from({ length: 5_000 }, (_, index) => minute(noon + index * MINUTE));
  tape.minutes.record(old, arrival(noon));
  const left = [0, 1, 2].map((second) => {
    const now = noon + 20 * DAY + second * 1_000;
    tape.minutes.record([], arrival(now));
    return tape.minutes.since(0).map(({ start }) => start).length;
  });
  expect(left).toEqual([3_000, 1_000, 0]);
});

it('opens a tape of the first form with its rows, and refuses a tape of a newer form', () => {
  const old = new SQLite(file);
  old.exec(FIRST_FORM);
  old.exec(`INSERT INTO tape (kind, symbol, date, feed, received_at, revision, open, high, low, close, volume)
    VALUES ('bar', 'SPY', '2020-03-02', 'csv', 5, 0, 100, 100, 100, 100, 5)`);
  old.pragma(`application_id = ${0x4241524f + 1}`);
  old.pragma('user_version = 1');
  old.close();
  expect([...(tapeOf().bars.get('SPY') ?? [])]).toEqual([MON]);
  expect(tapeOf().minutes.since(0)).toEqual([]);
  tapeOf().recordActions(
    [{ kind: 'dividend', symbol: 'SPY', date: '2020-03-03', factor: null, amount: 1.5, note: null }],
    arrival(9),
  );
  expect(tapeOf().barActions('SPY', '2020-03-03')).toEqual({ dividend: 1.5 });
  const newer = new SQLite(file);
  newer.pragma('user_version = 99');
  newer.close();
  expect(() => openTape(file)).toThrow(/written by a newer version/);
});

/** A tape in the form of version 0.1.0. */
const FIRST_FORM = `
  CREATE TABLE tape (
    tape_seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('bar', 'withdrawn', 'split', 'halt', 'resume', 'delisting', 'real', 'refuse', 'gap', 'quarantine')),
    symbol TEXT NOT NULL, date TEXT NOT NULL, feed TEXT NOT NULL, received_at INTEGER NOT NULL, revision INTEGER NOT NULL,
    open REAL, high REAL, low REAL, close REAL, volume REAL, factor REAL, note TEXT
  ) STRICT;
  CREATE INDEX tape_by_date ON tape (symbol, date);
`;
