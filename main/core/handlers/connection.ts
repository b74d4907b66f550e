// Main, core: the window's calls about the connection: details, retry, problem report.
import { refused } from '../../../shared/channels/channel.ts';
import type { ConnectionChannels, ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { message } from '../../../shared/text/message.ts';
import type { ConnectionMonitor } from '../connection/connection-monitor.ts';
import { POLL } from '../connection/log-polling.ts';
import type { ProfileKeys } from '../keys/profile-keys.ts';
import type { CoreContext } from '../module.ts';
import type { ServiceObserver } from '../observer/service-observer.ts';
import { trustPeer } from '../profiles/peer.ts';
import { CADENCE } from '../sources/polling.ts';

export interface ConnectionHandlerDeps {
  readonly context: CoreContext;
  readonly connection: Pick<ConnectionMonitor, 'details' | 'retry'>;
  readonly serviceObserver: ServiceObserver;
  readonly keys: Pick<ProfileKeys, 'load'> | null;
}

const UNKNOWN_NETWORK_PATH: ConnectionDetails['network_path'] = {
  proxy: message('network_path.unknown'),
  certificate: message('network_path.unknown'),
};

export function createConnectionHandlers({
  context,
  connection,
  serviceObserver,
  keys,
}: ConnectionHandlerDeps): Handlers<ConnectionChannels> {
  const { environment } = context.profile;
  const { networkPath, report } = context.ports.host ?? {};
  return {
    'connection.retry': () => {
      connection.retry();
      // An unreadable key may be readable now, and another program may have saved another key.
      if (keys !== null) context.guard.go(keys.load());
      return {};
    },
    'connection.trust': () => {
      trustPeer(context.ports.settings, context.profile);
      connection.retry();
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
        polling: { events: POLL[environment], signals: CADENCE[environment] * quota.slowed },
      };
    },
    'report.read': () => {
      if (report === undefined) throw refused(message('call.no_report'));
      return { text: report() };
    },
  };
}
