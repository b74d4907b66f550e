// Bench: the growth of costs over three sizes, a factor of ten apart, as an exponent.
// An exponent of 0 is flat, 1 is in proportion; above that is a fault.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startReaderThread } from '../../../main/core/archive/reader-thread.ts';
import { SnapshotSchema } from '../../../shared/channels/state.ts';
import { collectGarbage, growth, median, type SizeSample, timed } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { openServiceFan } from '../support/fan-out.ts';
import { fillArchive, SEARCHES } from '../support/full-archive.ts';
import { fillLedger } from '../support/full-ledger.ts';
import { dayOf, engineFor, makeMarket, others, PANEL } from '../support/market.ts';
import { startMonitor, watching } from '../support/monitor.ts';

const GOAL = { atMost: 1.1 };
const FLOOR = 'the same at a tenth and a hundredth of the size; the ratio is the exponent';
const ROUNDS = 5;

/** Sizes by turns, so that a busy machine affects all of them. */
async function bySize(
  sizes: readonly number[],
  cost: (size: number) => Promise<number>,
  rounds = ROUNDS,
): Promise<SizeSample[]> {
  const values = new Map<number, number[]>(sizes.map((size) => [size, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const size of sizes) {
      collectGarbage();
      const value = await cost(size);
      if (round >= 0) values.get(size)?.push(value);
    }
  }
  return sizes.map((size) => ({ size, values: values.get(size) ?? [] }));
}

const ledger: Row = {
  name: 'growth-ledger',
  what: 'start of the core until it sees, by the size of its ledger; ms',
  floor: FLOOR,
  goal: GOAL,
  async run({ folder }) {
    const sizes = [10_000, 100_000, 1_000_000];
    for (const size of sizes) {
      mkdirSync(join(folder, String(size)));
      fillLedger(join(folder, String(size)), size);
    }
    const sized = await bySize(sizes, async (size) => {
      const begun = performance.now();
      const monitor = await startMonitor(join(folder, String(size)));
      const took = performance.now() - begun;
      await monitor.core.stop();
      return took;
    });
    return growth(sized, 'events', 'ms', ['a file of up to 256 MB is looked through for damage at every start']);
  },
};

const watchlist: Row = {
  name: 'growth-watchlist',
  what: 'what a window takes when it opens (every row, made, serialised and validated), by the size of the watchlist; ms',
  floor: FLOOR,
  goal: GOAL,
  async run({ folder, defer }) {
    const monitors = new Map<number, Awaited<ReturnType<typeof startMonitor>>>();
    const sizes = [20, 200, 2_000];
    for (const size of sizes) {
      const sizeFolder = join(folder, String(size));
      mkdirSync(sizeFolder);
      const monitor = await startMonitor(sizeFolder, watching(others(size)));
      defer(() => monitor.core.stop());
      monitors.set(size, monitor);
    }
    const sized = await bySize(sizes, async (size) =>
      timed(() => {
        const taken = monitors.get(size)?.core.handlers['state.snapshot']({});
        const { rows } = SnapshotSchema.parse(JSON.parse(JSON.stringify(taken)));
        if (rows.length < size || rows.some(({ signal }) => signal === null))
          throw new Error(`there are ${rows.length} rows, not all with a signal`);
      }),
    );
    return growth(sized, 'symbols', 'ms');
  },
};

const engine: Row = {
  name: 'growth-engine',
  what: 'engine, one day of all symbols after 200 days, by the number of symbols; ms',
  floor: FLOOR,
  goal: GOAL,
  async run() {
    const days = 200;
    const sizes = [20, 200, 2_000];
    const closeDayBySize = new Map(
      sizes.map((size) => {
        const symbols = [...PANEL, ...others(size - PANEL.length)];
        const market = makeMarket(symbols, days + ROUNDS + 1);
        const made = engineFor(symbols);
        let day = 0;
        const next = (): void => {
          const { date, bars } = dayOf(market, symbols, day++);
          made.closeDay(date, bars);
        };
        while (day < days) next();
        return [size, next];
      }),
    );
    return growth(await bySize(sizes, (size) => timed(closeDayBySize.get(size) ?? (() => undefined))), 'symbols', 'ms');
  },
};

const clients: Row = {
  name: 'growth-clients',
  what: 'stream fan-out: from a transition in the service to the last byte at the last client, by the number of clients; ms (median of 20 events)',
  floor: FLOOR,
  goal: GOAL,
  async run(context: Context) {
    const sizes = [30, 300, 3_000];
    const sized: SizeSample[] = [];
    for (const size of sizes) {
      const fan = await openServiceFan(context, size);
      const values: number[] = [];
      for (let round = -1; round < ROUNDS; round += 1) {
        const times: number[] = [];
        for (let event = 0; event < 20; event += 1) times.push((await fan.once()).ms);
        if (round >= 0) values.push(median(times));
      }
      await fan.close();
      sized.push({ size, values });
    }
    return growth(sized, 'clients', 'ms');
  },
};

const archive: Row = {
  name: 'growth-archive',
  what: 'search in the archive, by the number of briefings; ms (median of the searches of the row search)',
  floor: FLOOR,
  goal: GOAL,
  async run({ folder, defer }) {
    const sizes = [1_000, 10_000, 100_000];
    const readers = new Map<number, ReturnType<typeof startReaderThread>>();
    for (const size of sizes) {
      const sizeFolder = join(folder, String(size));
      mkdirSync(sizeFolder);
      fillArchive(sizeFolder, size);
      const reader = startReaderThread(sizeFolder);
      defer(() => reader.close());
      readers.set(size, reader);
    }
    const sized = await bySize(sizes, async (size) => {
      const times: number[] = [];
      for (const text of SEARCHES)
        times.push(await timed(() => readers.get(size)?.ask('search', { text, kinds: null, limit: 20 })));
      return median(times);
    });
    return growth(sized, 'briefings', 'ms');
  },
};

export const GROWTH: readonly Row[] = [ledger, watchlist, engine, clients, archive];
