// Bench: minutes of 500 coins from an exchange's stream: parsed, checked, recorded, evaluated; against a bare reader and store.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import WebSocket from 'ws';
import { systemClock } from '../../../main/host/system-clock.ts';
import { binance } from '../../../service/market/feeds/binance/binance.ts';
import { FeedSupervisor } from '../../../service/market/feeds/feed-supervisor.ts';
import type { FeedSink, PriceFeed } from '../../../service/market/feeds/price-feed.ts';
import { createTimetable } from '../../../service/market/timetable.ts';
import { directOutbound } from '../../../service/network/outbound.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { compare, interleave } from '../measure.ts';
import type { Row } from '../row.ts';
import { startChild } from '../support/children.ts';
import { coinListings, openRig, writeTape } from '../support/feed-rig.ts';
import type { SenderPort } from '../support/kline-sender.ts';

const COINS = 500;
const MINUTES = 120;
const DAYS = 300;
const MESSAGES = COINS * MINUTES;
const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
/** The first minute that is sent starts here. */
const FROM = MIDNIGHT + 600 * MINUTE_MS;
/** Rows of a transaction: what the product collects in its 200 ms at most. */
const BATCH = 4_096;
const WATCH_MS = 5_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** @returns ms from the first message to the last one that is on disk and evaluated */
async function followed(stream: string, written: string, file: string): Promise<number> {
  let world = FROM + MINUTE_MS;
  const clock: Clock = {
    now: () => world,
    // Half an hour of the world passes within seconds: what watches for silence and sleep would take it for one.
    after: (ms, run) => (ms >= WATCH_MS ? () => undefined : systemClock.after(ms, run)),
  };
  const rig = openRig(written, file, COINS, clock);
  const { stepEnd } = createTimetable('production');
  const vendor = binance.create({
    ...{ clock, key: () => null, hosts: { stream }, outbound: directOutbound },
    fetch: () => Promise.reject(new Error('nothing is asked by REST')),
  });
  let begunAt = 0;
  let received = 0;
  const done = Promise.withResolvers<void>();
  const feed: PriceFeed = {
    // History is there; the stream is what is measured.
    offers: { ...vendor.offers, symbolsPerRequest: COINS },
    check: () => Promise.resolve({ clockSkewMs: 0, plan: null }),
    listings: () => Promise.resolve(coinListings(COINS)),
    async *bars() {},
    live: (symbols, sink: FeedSink, signal) => {
      const counting: FeedSink = {
        ...sink,
        bar(bar) {
          if (received === 0) begunAt = performance.now();
          received += 1;
          world = Math.max(world, bar.end + 300);
          sink.bar(bar);
        },
      };
      return vendor.live?.(symbols, counting, signal) ?? Promise.reject(new Error('no stream'));
    },
  };
  let recorded = 0;
  const supervisor = new FeedSupervisor({
    ...{ name: 'binance', feed, listings: rig.listings, clock, logger: silent, random: Math.random },
    onNotice: () => undefined,
    record: {
      ...rig.market,
      take(bars) {
        rig.market.take(bars);
        while (rig.detector.evaluatedTo < world)
          rig.detector.advance(Math.min(world, stepEnd(rig.detector.evaluatedTo)));
        recorded += bars.length;
        if (recorded >= MESSAGES) done.resolve();
      },
    },
  });
  supervisor.start();
  await done.promise;
  const took = performance.now() - begunAt;
  await supervisor.close();
  rig.close();
  return took;
}

function bare(stream: string, file: string): Promise<number> {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE minutes (symbol TEXT, start INTEGER, open REAL, high REAL, low REAL, close REAL, volume REAL)',
  );
  const insert = database.prepare('INSERT INTO minutes VALUES (?, ?, ?, ?, ?, ?, ?)');
  const write = database.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) insert.run(...row);
  });
  return new Promise((resolve, reject) => {
    let [rows, received, begunAt]: [unknown[][], number, number] = [[], 0, 0];
    const socket = new WebSocket(`${stream}/stream`);
    socket.on('open', () => socket.send('begin'));
    socket.on('error', reject);
    socket.on('message', (data) => {
      if (received === 0) begunAt = performance.now();
      received += 1;
      const { k } = JSON.parse(String(data)).data;
      rows.push([k.s, k.t, Number(k.o), Number(k.h), Number(k.l), Number(k.c), Number(k.v)]);
      if (rows.length < BATCH && received < MESSAGES) return;
      write(rows);
      rows = [];
      if (received < MESSAGES) return;
      resolve(performance.now() - begunAt);
      socket.terminate();
      database.close();
    });
  });
}

export const feedIngest: Row = {
  name: 'feed-ingest',
  what: `feed, durable: messages of ${COINS} coins from a socket -> parsed -> validated -> in order and whole -> tape -> evaluated minute by minute; messages/s`,
  floor:
    '`ws`, `JSON.parse` and one prepared INSERT in transactions as large as the largest of the product, synchronous = FULL, on the same disk',
  goal: { atLeast: 0.3 },
  async run({ folder, defer }) {
    const sender = startChild('kline-sender.ts', [COINS, MINUTES, FROM].map(String));
    defer(sender.kill);
    const { port } = await sender.next<SenderPort>('port');
    const stream = `ws://127.0.0.1:${port}`;
    const written = join(folder, 'written.db');
    writeTape(written, COINS, DAYS, MIDNIGHT);
    let round = 0;
    const rate = async (measure: (file: string) => Promise<number>): Promise<number> => {
      const file = join(folder, `round-${round++}.db`);
      const took = await measure(file);
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      return (MESSAGES / took) * 1000;
    };
    const pair = await interleave({
      product: () => rate((file) => followed(stream, written, file)),
      floor: () => rate((file) => bare(stream, file)),
      warmups: 2,
      rounds: 9,
    });
    return compare(pair, { product: 'feed', floor: 'bare socket and INSERT', unit: 'messages/s' });
  },
};
