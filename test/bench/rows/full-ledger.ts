// Bench: the core with a full ledger and a watchlist out of Normal, of which most symbols are quiet.
import { setTimeout as pause } from 'node:timers/promises';
import { SnapshotSchema } from '../../../shared/channels/state.ts';
import { median, timed } from '../measure.ts';
import type { Context, Outcome, Row } from '../row.ts';
import { fillLedger } from '../support/full-ledger.ts';
import { BENCH_PROFILE, type BenchMonitor, startMonitor } from '../support/monitor.ts';

const EVENTS = 1_000_000;
const ROUNDS = 9;
/** The work that a start leaves is done after that. */
const SETTLE_MS = 8_000;
const IDLE_MS = 8_000;
const MOST_MS = 50;
const MOST_PERCENT = 1;

/** Every watched symbol is High Risk; two thirds of them have no event in the ledger. */
async function startFull({ folder, defer }: Context): Promise<BenchMonitor> {
  fillLedger(folder, EVENTS);
  const monitor = await startMonitor(folder, {}, BENCH_PROFILE, () => [], 2);
  defer(() => monitor.core.stop());
  return monitor;
}

const outcome = (label: string, unit: string, values: readonly number[], most: number): Outcome => ({
  ratio: median(values) / most,
  spread: [Math.min(...values) / most, Math.max(...values) / most],
  sides: [{ label, unit, values }],
  notes: [],
});

const snapshot: Row = {
  name: 'snapshot-ledger',
  what: `what a window takes when it opens, with ${EVENTS.toLocaleString('en-US')} events in the ledger; ms`,
  floor: `none: the ratio is to ${MOST_MS} ms`,
  goal: { atMost: 1 },
  async run(context) {
    const { core } = await startFull(context);
    const values: number[] = [];
    for (let round = -2; round < ROUNDS; round += 1) {
      const ms = await timed(() => SnapshotSchema.parse(core.handlers['state.snapshot']({})));
      if (round >= 0) values.push(ms);
    }
    return outcome('snapshot', 'ms', values, MOST_MS);
  },
};

const idle: Row = {
  name: 'idle-ledger',
  what: `processor of the core while nothing happens, with ${EVENTS.toLocaleString('en-US')} events in the ledger; % of a core`,
  floor: `none: the ratio is to ${MOST_PERCENT} %`,
  goal: { atMost: 1 },
  async run(context) {
    await startFull(context);
    await pause(SETTLE_MS);
    const values: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = process.cpuUsage();
      await pause(IDLE_MS);
      const { user, system } = process.cpuUsage(before);
      values.push(((user + system) / 1_000 / IDLE_MS) * 100);
    }
    return outcome('idle core', '% of a core', values, MOST_PERCENT);
  },
};

export const FULL_LEDGER: readonly Row[] = [snapshot, idle];
