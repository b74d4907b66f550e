// Main, core: what a window may ask about the connection itself: its details, a new try, a report of a problem.
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { ConnectionChannels, ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Ports } from '../ports.ts';
import type { Observed } from '../state/observed.ts';
import type { Sight } from '../stream/sight.ts';

export interface ConnectionRooms {
  readonly sight: Pick<Sight, 'details'>;
  readonly observed: Observed;
  readonly way: Ports['way'];
  readonly report: Ports['report'];
  /** ms. */
  readonly polling: ConnectionDetails['polling'];
  readonly retry: () => void;
}

const UNKNOWN_WAY: ConnectionDetails['way'] = { proxy: 'not known', certificate: 'not known' };

export function createConnectionHandlers({
  sight,
  observed,
  way,
  report,
  polling,
  retry,
}: ConnectionRooms): Handlers<ConnectionChannels> {
  return {
    'connection.retry': () => {
      retry();
      return {};
    },
    'connection.read': () => {
      const quota = observed.quota();
      return {
        stream: sight.details(),
        skew: observed.skew(),
        way: way?.() ?? UNKNOWN_WAY,
        dialect: observed.dialect(),
        quota,
        ...observed.calls(),
        polling: { ...polling, signals: polling.signals * quota.slowed },
      };
    },
    'report.read': () => {
      if (report === undefined)
        throw new RefusedError({
          code: 'refused',
          message: 'This program writes no report. Run: npm run barograph -- report',
        });
      return { text: report() };
    },
  };
}
