// Bench: one event to two thousand streams of the whole service, against nginx with nchan.
// Both sides have the same clients.
import { collectGarbage, compare, interleave, quantile } from '../measure.ts';
import type { Row } from '../row.ts';
import { openNchanFan, openServiceFan } from '../support/fan-out.ts';
import { openNchan, whyNoNchan } from '../support/nchan.ts';
import { processorSeconds } from '../support/running-app.ts';

const READERS = 2_000;
const EVENTS = 50;
const CPU_EVENTS = 200;

export const peerFanout: Row = {
  name: 'peer-fanout',
  what: `one event to ${READERS.toLocaleString('en-US')} streams, whole service, from the request that causes it to the last byte at the last client, p99 of ${EVENTS} events; ms`,
  floor: 'a POST of the same bytes to nginx with nchan, which keeps no log and checks no key; same clients',
  goal: { atMost: 1.5 },
  async run(context) {
    const missing = whyNoNchan();
    if (missing !== null) return { ratio: null, spread: null, sides: [], notes: [`not measured: ${missing}`] };
    const service = await openServiceFan(context, READERS);
    const { text } = await service.request();
    const nchan = await openNchan(context);
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? '';
    const peer = await openNchanFan(context, nchan, READERS, data);
    const volley = async (side: 'service' | 'peer'): Promise<number> => {
      const times: number[] = [];
      for (let event = 0; event < EVENTS; event += 1)
        times.push((await (side === 'service' ? service.request() : peer.once())).ms);
      return quantile(times, 0.99);
    };
    collectGarbage();
    const pair = await interleave({
      product: () => volley('service'),
      floor: () => volley('peer'),
      rounds: 9,
      budget: 22_000,
      collect: false,
    });
    const before = process.cpuUsage();
    for (let event = 0; event < CPU_EVENTS; event += 1) await service.once();
    const { user, system } = process.cpuUsage(before);
    const peerBefore = processorSeconds(nchan.pid);
    for (let event = 0; event < CPU_EVENTS; event += 1) await peer.once();
    const peerSeconds = processorSeconds(nchan.pid) - peerBefore;
    const micros = (seconds: number): string => ((1e6 * seconds) / CPU_EVENTS / READERS).toFixed(1);
    return compare(pair, {
      product: 'service',
      floor: 'nginx with nchan',
      unit: 'ms',
      notes: [
        `processor time a delivery: ${micros((user + system) / 1e6)} us against ${micros(peerSeconds)} us; the first has all threads of the service and what counts the answers`,
      ],
    });
  },
};
