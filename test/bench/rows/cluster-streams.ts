// Bench: one event to ten thousand readers of one node of a cluster, until the last has it.
import { collectGarbage, compare, interleave, quantile } from '../measure.ts';
import type { Row } from '../row.ts';
import { openDatabase } from '../support/cluster.ts';
import { openBareFan, openNodeFan } from '../support/fan-out.ts';

const READERS = 10_000;
const EVENTS = 12;

export const clusterStreams: Row = {
  name: 'cluster-streams',
  what: `one event to ${READERS.toLocaleString('en-US')} streams of one node, from the transition to the last byte at the last client, p99 of ${EVENTS} events; ms`,
  floor: 'socket.write of the same bytes to as many sockets, read by the same clients in a process of their own',
  goal: { atMost: 1.5 },
  async run(context) {
    const database = await openDatabase(context);
    const node = await openNodeFan(context, database.url, READERS);
    const { text } = await node.once();
    const bare = await openBareFan(context, READERS, text);
    let [seconds, deliveries] = [0, 0];
    const volley = async (side: 'node' | 'bare'): Promise<number> => {
      const before = process.cpuUsage();
      const times: number[] = [];
      for (let event = 0; event < EVENTS; event += 1) times.push((await (side === 'node' ? node : bare).once()).ms);
      const { user, system } = process.cpuUsage(before);
      if (side === 'node') {
        seconds += (user + system) / 1e6;
        deliveries += EVENTS * READERS;
      }
      return quantile(times, 0.99);
    };
    collectGarbage();
    const pair = await interleave({
      product: () => volley('node'),
      floor: () => volley('bare'),
      rounds: 5,
      budget: 25_000,
      collect: false,
    });
    const rate = Math.round(deliveries / seconds).toLocaleString('en-US');
    return compare(pair, {
      product: 'node',
      floor: 'sockets',
      unit: 'ms',
      notes: [`${rate} deliveries a second of processor, the write to PostgreSQL included`],
    });
  },
};
