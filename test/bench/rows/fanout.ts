// Bench: one event to two thousand readers of the stream: when the last of them has it.
import { collectGarbage, compare, interleave, median, quantile } from '../measure.ts';
import type { Row } from '../row.ts';
import { openBareFan, openServiceFan } from '../support/fan-out.ts';

const READERS = 2_000;
const EVENTS = 50;

export const fanout: Row = {
  name: 'fanout',
  what: `stream fan-out to ${READERS.toLocaleString('en-US')} clients: from the transition in the service to the last byte at the last client, p99 of ${EVENTS} events; ms`,
  floor: 'socket.write of the same bytes to as many sockets, read by the same clients in a process of their own',
  goal: { atMost: 1.5 },
  async run(context) {
    const service = await openServiceFan(context, READERS);
    const { text } = await service.once();
    const bare = await openBareFan(context, READERS, text);
    const medians: { service: number[]; bare: number[] } = { service: [], bare: [] };
    const volley = async (side: 'service' | 'bare'): Promise<number> => {
      const times: number[] = [];
      for (let event = 0; event < EVENTS; event += 1)
        times.push((await (side === 'service' ? service : bare).once()).ms);
      medians[side].push(median(times));
      return quantile(times, 0.99);
    };
    collectGarbage();
    const pair = await interleave({
      product: () => volley('service'),
      floor: () => volley('bare'),
      rounds: 9,
      budget: 22_000,
      collect: false,
    });
    const middle = `median of an event: ${median(medians.service).toFixed(1)} ms against ${median(medians.bare).toFixed(1)} ms`;
    return compare(pair, {
      product: 'service',
      floor: 'sockets',
      unit: 'ms',
      notes: [middle, `${Buffer.byteLength(text)} bytes an event`],
    });
  },
};
