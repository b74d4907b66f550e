// Test: the PostgreSQL of a cluster ends, and its standby goes on: no announced event is lost, and none comes twice.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { notRun } from '../harness/not-run.ts';
import { startPostgres, whyNoPostgresProcess } from '../harness/postgres.ts';
import { readLog } from './cluster-kill-clients.ts';
import { openCluster, patiently, sandboxFlags } from './cluster-kill-cluster.ts';

const NODES = 3;
const RATE = 20;
const why = whyNoPostgresProcess();

test.skipIf(why)(
  `a cluster goes on with the standby of its PostgreSQL, and every node has every announced event once${notRun(why)}`,
  { timeout: 300_000 },
  async () => {
    const cluster = await openCluster(NODES, () => sandboxFlags(RATE));
    const standby = await startPostgres({ standbyOf: cluster.database });
    try {
      // An answer of the primary is an event that the standby has.
      await cluster.database.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await cluster.database.execute('SELECT pg_reload_conf()');
      for (const host of cluster.hosts) await host.start();
      await pause(3_000);
      const told = await Promise.all(cluster.hosts.map((host) => readLog(host, '')));
      await cluster.database.kill();
      await standby.process?.execute('SELECT pg_promote()');
      for (const host of cluster.hosts) {
        host.moveTo(standby.process?.socket ?? '');
        // A fail-over ends the connections to the former primary.
        host.network.cut();
        host.network.heal();
      }
      const before = Math.max(...told.map((log) => log.at(-1)?.seq ?? 0));
      const logs = await patiently(async () => {
        const now = await Promise.all(cluster.hosts.map((host) => readLog(host, '')));
        if (now.some((log) => (log.at(-1)?.seq ?? 0) < before + RATE)) throw new Error('a node does not go on');
        return now;
      });
      expect(before).toBeGreaterThan(0);
      const shortest = Math.min(...logs.map((log) => log.length));
      for (const [index, log] of logs.entries()) {
        expect(log.slice(0, shortest)).toEqual(logs[0]?.slice(0, shortest));
        expect(log.slice(0, told[index]?.length)).toEqual(told[index]);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, place) => (log[0]?.seq ?? 0) + place));
        expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
      }
    } finally {
      await cluster.remove();
      await standby.remove();
    }
  },
);
