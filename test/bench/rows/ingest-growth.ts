// Bench: what an event costs on its way into the ledger, the ledger being young or old.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { collectGarbage, compare, median, timed } from '../measure.ts';
import type { Row } from '../row.ts';
import { streamBytes } from '../support/events.ts';
import { fillLedger } from '../support/full-ledger.ts';
import { startMonitor } from '../support/monitor.ts';

const SIZES = [1_000, 30_000, 1_000_000] as const;
const EVENTS = 6_000;
/** Brought first, so that the file's pages are at hand. */
const LEAD = 1_000;
const ROUNDS = 7;

export const ingestGrowth: Row = {
  name: 'ingest-growth',
  what: 'stream ingest as in the row above, with 1,000,000 rows in the ledger before; us an event',
  floor: 'the same with 1,000 rows: an old ledger must not be slower than a young one',
  goal: { atLeast: 0.8, atMost: 1.2 },
  async run({ folder }) {
    for (const size of SIZES) {
      mkdirSync(join(folder, String(size)));
      fillLedger(join(folder, String(size)), size);
    }
    const costs = new Map<number, number[]>(SIZES.map((size) => [size, []]));
    let started = 0;
    /** A small ledger is used once, so that it stays small; what a round adds to the largest changes nothing. */
    const cost = async (size: number): Promise<number> => {
      const seedFolder = join(folder, String(size));
      const isLarge = size === SIZES[2];
      const runFolder = isLarge ? seedFolder : `${seedFolder}-${++started}`;
      if (!isLarge) cpSync(seedFolder, runFolder, { recursive: true });
      const monitor = await startMonitor(runFolder);
      const before = monitor.events();
      await monitor.bring(streamBytes(before, LEAD), before + LEAD);
      const bytes = streamBytes(before + LEAD, EVENTS);
      collectGarbage();
      const took = await timed(() => monitor.store(bytes, before + LEAD + EVENTS));
      await monitor.core.stop();
      return (took / EVENTS) * 1000;
    };
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const size of round % 2 === 0 ? SIZES : [...SIZES].reverse()) {
        const value = await cost(size);
        if (round >= 0) costs.get(size)?.push(value);
      }
    }
    const [young = [], middle = [], old = []] = SIZES.map((size) => costs.get(size));
    return compare(
      { product: old, floor: young },
      {
        product: '1,000,000 rows',
        floor: '1,000 rows',
        unit: 'us an event',
        notes: [`30,000 rows: ${median(middle).toFixed(1)} us an event`],
      },
    );
  },
};
