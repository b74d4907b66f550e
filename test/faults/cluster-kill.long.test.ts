// Test: nodes are killed, frozen and cut off under load, and their history has no fault.
// Three real nodes, a real PostgreSQL; `node test/faults/cluster-kill-cli.ts` does it for longer.
import { expect, test } from 'vitest';
import { notRun } from '../harness/not-run.ts';
import { whyNoPostgresProcess } from '../harness/postgres.ts';
import { killNodesWithFeed } from './cluster-feed-kill.ts';
import { toLines } from './cluster-history.ts';
import { killNodes } from './cluster-kill.ts';

/** BAROGRAPH_KILLS=100 kills more often. */
const KILLS = Number(process.env.BAROGRAPH_KILLS ?? 4);
const SEED = Number(process.env.BAROGRAPH_SEED ?? Math.floor(Math.random() * 1_000_000));
const why = whyNoPostgresProcess();

test.skipIf(why)(
  `${KILLS} kills, a freeze and an outage: every event once, everywhere${notRun(why)}`,
  { timeout: 300_000 + KILLS * 10_000 },
  async ({ task }) => {
    const { findings, events, counts, seconds, operations, printed } = await killNodes({
      seed: SEED,
      kills: KILLS,
      freezes: Math.ceil(KILLS / 4),
      outages: Math.ceil(KILLS / 10),
      rate: 50,
    });
    task.meta.attempts = { kills: KILLS };
    const context = `seed ${SEED}: ${events} events in ${seconds} s, ${JSON.stringify(counts)}`;
    console.log(context);
    expect(findings, `${context}\n${printed}\n${toLines(operations).slice(-20_000)}`).toEqual([]);
    expect(events).toBeGreaterThan(10 * KILLS);
    expect(counts.triggered).toBeGreaterThan(KILLS);
  },
);

test.skipIf(why)(
  `nodes that follow a vendor of prices announce what an undisturbed service does, with two kills and a freeze${notRun(why)}`,
  { timeout: 700_000 },
  async () => {
    const { findings, events, printed } = await killNodesWithFeed({ seed: SEED, kills: 2, freezes: 1, outages: 0 });
    expect(findings, `seed ${SEED}\n${printed}`).toEqual([]);
    expect(events).toBeGreaterThan(0);
  },
);
