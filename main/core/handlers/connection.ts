// Main, core: what a window may ask about the connection itself: its details, a new try, a report of a problem.
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { ConnectionChannels, ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Ports } from '../ports.ts';
import type { ServiceObserver } from '../state/service-observer.ts';
import type { ConnectionMonitor } from '../stream/connection-monitor.ts';

export interface ConnectionHandlerDeps {
  readonly connection: Pick<ConnectionMonitor, 'details'>;
  readonly serviceObserver: ServiceObserver;
  readonly networkPath: Ports['networkPath'];
  readonly report: Ports['report'];
  /** ms. */
  readonly polling: ConnectionDetails['polling'];
  readonly retry: () => void;
}

const UNKNOWN_NETWORK_PATH: ConnectionDetails['network_path'] = { proxy: 'not known', certificate: 'not known' };

export function createConnectionHandlers({
  connection,
  serviceObserver,
  networkPath,
  report,
  polling,
  retry,
}: ConnectionHandlerDeps): Handlers<ConnectionChannels> {
  return {
    'connection.retry': () => {
      retry();
      return {};
    },
    'connection.read': () => {
      const quota = serviceObserver.quota();
      return {
        stream: connection.details(),
        skew: serviceObserver.skew(),
        network_path: networkPath?.() ?? UNKNOWN_NETWORK_PATH,
        compatibility: serviceObserver.compatibility(),
        quota,
        ...serviceObserver.calls(),
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
