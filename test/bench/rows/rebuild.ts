// Bench: how long a request waits while a folder of 500 symbols with five years is read and rebuilt.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bar } from '../../../service/engine/types.ts';
import { isSession } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { nodeScript, start } from '../../harness/processes.ts';
import { compare, median, quantile } from '../measure.ts';
import type { Row } from '../row.ts';
import { makeMarket, others, PANEL } from '../support/market.ts';

const SYMBOLS = [...PANEL, ...others(500 - PANEL.length)];
const DAYS = 1_260;
/** How many bars before the last one a close is corrected, and by how much. */
const CORRECTED = 40;
const CORRECTION = 1.003;
/** What the goal allows, ms. */
const ALLOWED = 250;
const IDLE_MS = 6_000;
const BETWEEN_MS = 4;
const CHECKED_EVERY_MS = 1_000;
const READY_MS = 80_000;
const ROUNDS = 2;

/** The sessions of New York up to last week, so that none closes meanwhile. */
function sessions(): string[] {
  const dates: string[] = [];
  for (let at = Date.now() - 7 * DAY_MS; dates.length < DAYS; at -= DAY_MS)
    if (isSession('us', dateOf(at))) dates.unshift(dateOf(at));
  return dates;
}

function writeFolder(folder: string, market: ReadonlyMap<string, readonly Bar[]>, dates: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [symbol, bars] of market) {
    const rows = bars.map(({ open, high, low, close, volume }, index) => [
      symbol,
      dates[index],
      open.toFixed(4),
      high.toFixed(4),
      low.toFixed(4),
      close.toFixed(4),
      Math.round(volume ?? 0),
    ]);
    const text = `symbol,date,open,high,low,close,volume\n${rows.map((row) => row.join(',')).join('\n')}\n`;
    writeFileSync(join(folder, `.${symbol}`), text);
    renameSync(join(folder, `.${symbol}`), join(folder, `${symbol}.csv`));
  }
}

const corrected = (market: ReadonlyMap<string, readonly Bar[]>, factor: number): Map<string, Bar[]> =>
  new Map(
    [...market].map(([symbol, bars]) => [
      symbol,
      bars.map((bar, index) =>
        index === DAYS - CORRECTED
          ? { ...bar, close: bar.close * factor, high: bar.high * factor, low: bar.low / factor }
          : bar,
      ),
    ]),
  );

export const rebuild: Row = {
  name: 'rebuild',
  what: `p99 of a request while a folder of ${SYMBOLS.length} symbols with five years is read again and the engine is rebuilt; ms`,
  floor: `the same requests to the idle service, and ${ALLOWED} ms`,
  goal: { atMost: 1 },
  async run({ folder, defer }) {
    const [prices, dates] = [join(folder, 'prices'), sessions()];
    const market = makeMarket(SYMBOLS, DAYS);
    writeFolder(prices, market, dates);
    const service = start(process.execPath, [
      ...nodeScript('service'),
      ...['--env', 'production', '--prices', prices, '--db', join(folder, 'service.db'), '--port', '0'],
      ...['--plan', 'institutional'],
    ]);
    defer(() => service.kill());
    const [, url = ''] = await service.line(/^ready (http:\/\/127\.0\.0\.1:\d+)\/?$/, READY_MS);
    const [, key = ''] = await service.line(/^key (svc_\w+)$/);
    const ask = async (path: string): Promise<{ readonly data: readonly { readonly price: number }[] }> => {
      const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    };
    const symbol = SYMBOLS.at(-1) ?? '';
    const pricesOf = async (): Promise<string> =>
      JSON.stringify((await ask(`/history?symbol=${symbol}&limit=100`)).data.map(({ price }) => price));
    /** Waits of requests, ms, until `isOver`. */
    const waits = async (isOver: (count: number) => boolean | Promise<boolean>): Promise<number[]> => {
      const times: number[] = [];
      for (let checkedAt = performance.now(); ; await pause(BETWEEN_MS)) {
        const begun = performance.now();
        // Has no limit of calls, and waits for the same thread as all others.
        await (await fetch(`${url}/health`)).text();
        times.push(performance.now() - begun);
        if (performance.now() - checkedAt < CHECKED_EVERY_MS) continue;
        checkedAt = performance.now();
        if (await isOver(times.length)) return times;
      }
    };
    const [idle, busy, notes]: [number[], number[], string[]] = [[], [], []];
    // Caches and compilers warm up.
    await waits((count) => count >= 100);
    for (let round = 0; round < ROUNDS; round++) {
      const end = performance.now() + IDLE_MS;
      idle.push(quantile(await waits(() => performance.now() > end), 0.99));
      const before = await pricesOf();
      writeFolder(prices, corrected(market, CORRECTION ** (round + 1)), dates);
      const begun = performance.now();
      const times = await waits(async () => (await pricesOf()) !== before);
      busy.push(quantile(times, 0.99));
      notes.push(
        `rebuilt after ${((performance.now() - begun) / 1000).toFixed(1)} s; ${times.length} requests, median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
      );
    }
    return compare(
      { product: busy, floor: idle },
      { product: 'rebuilding', floor: 'idle', unit: 'ms', allowance: ALLOWED, notes },
    );
  },
};
