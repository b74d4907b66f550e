// Bench: the memory of one node of a cluster with 40 and with 500 symbols.
// It is reported, without a goal.
import { setTimeout as pause } from 'node:timers/promises';
import type { Row, Side } from '../row.ts';
import { openDatabase, startNode } from '../support/cluster.ts';
import { residentMegabytes } from '../support/running-app.ts';

const SETTLE_MS = 5_000;
const READY_MS = 240_000;

export const clusterMemory: Row = {
  name: 'cluster-memory',
  what: 'resident memory of a node of a cluster, some seconds after its ready',
  floor: 'nothing: these numbers are reported',
  goal: null,
  async run(context) {
    const database = await openDatabase(context);
    const sides: Side[] = [];
    for (const symbols of [40, 500]) {
      const node = await startNode(context, await database.create(), symbols, { readyMs: READY_MS });
      await pause(SETTLE_MS);
      const { pid } = node.process;
      sides.push({ label: `${symbols} symbols`, unit: 'MB', values: [residentMegabytes(pid)] });
      await node.process.kill();
    }
    return { ratio: null, spread: null, sides, notes: [] };
  },
};
