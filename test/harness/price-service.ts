// Test harness: a service over a folder with the prices of one share, and a clock that the test moves.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { Bar } from '../../service/engine/types.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import { sp500 } from '../fixtures/sp500.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Four years, as a share; calm in the last one. */
export const bars = sp500().slice(0, 1_045);
export const HOUR = 3_600_000;
/** Longer than the poll of a folder and the evaluation after it. */
export const POLLED = 4_000;

export let folder = '';
export let service: Service | null = null;
export let key = '';
export let clock: ManualClock;
/** Gives each test of a file a folder of its own, and closes what it started. */
export function eachInItsOwnFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'barograph-prices-'));
  });
  afterEach(async () => {
    await service?.close();
    service = null;
    rmSync(folder, { recursive: true });
  });
}

export const write = (list: readonly Bar[]): void => {
  const rows = list.map(
    ({ date, open, high, low, close, volume }) => `AAPL,${date},${open},${high},${low},${close},${volume ?? ''}`,
  );
  writeFileSync(join(folder, 'AAPL.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
};
export const afterClose = (index: number): number => sessionClose('us', bars[index]?.date ?? '') + HOUR;
export const divided = (list: readonly Bar[], first: number, by: number): Bar[] =>
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

export async function start(at: number): Promise<void> {
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
      keyScope: 'account',
    },
  );
  key = service.admitKey(null) ?? key;
  await service.start();
}
/** Writes the prices and lets the time pass to an hour after a bar's close. */
export async function passTo(index: number, list: readonly Bar[]): Promise<void> {
  write(list.slice(0, index + 1));
  clock.jump(afterClose(index) - clock.now());
  await clock.advance(POLLED);
}
export const get = async (url: string) => (await service?.app.inject({ url, headers: { 'x-api-key': key } }))?.json();
export const pricesOf = async (): Promise<number[]> =>
  (await get('/history?symbol=AAPL&limit=100')).data.map(({ price }: { price: number }) => price);
export const signal = () => get('/signal?symbol=AAPL');
export const transitions = async () =>
  (await get('/alert-transitions?symbol=AAPL')).data.map(({ event_id }: { event_id: string }) => event_id);
/** Position of a bar in the calm year, with room after it. */
export const LAST = bars.length - 12;
