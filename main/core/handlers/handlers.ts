// Main, core: one function per call that a window may make. Rules live in the rooms; this only passes on.

import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import type { ArchiveChannels } from '../../../shared/channels/archive.ts';
import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { ConnectionChannels } from '../../../shared/channels/connection.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { keyChannels } from '../../../shared/channels/keys.ts';
import type { RelayChannels } from '../../../shared/channels/relay.ts';
import type { SelfTestChannels } from '../../../shared/channels/self-test.ts';
import type { SubscriptionChannels } from '../../../shared/channels/subscriptions.ts';
import type { Watch } from '../profiles/watch.ts';
import type { CoreState } from '../state/state.ts';
import type { createQueryHandlers } from './queries.ts';

export interface HandlerDeps {
  readonly state: Pick<CoreState, 'snapshot'>;
  readonly watch: Pick<Watch, 'select' | 'save'>;
  readonly onWatchChanged: () => void;
  readonly queries: ReturnType<typeof createQueryHandlers>;
  readonly keys: Handlers<typeof keyChannels>;
  readonly alerting: Handlers<typeof alertingChannels>;
  readonly relay: Handlers<RelayChannels>;
  readonly archive: Handlers<ArchiveChannels>;
  readonly selfTest: Handlers<SelfTestChannels>;
  readonly connection: Handlers<ConnectionChannels>;
  readonly subscriptions: Handlers<SubscriptionChannels>;
}

export function createHandlers(deps: HandlerDeps): Handlers<CoreChannels> {
  const { state, watch, onWatchChanged } = deps;
  return {
    'state.snapshot': () => state.snapshot(),
    'watchlist.select': ({ symbol }) => {
      watch.select(symbol);
      onWatchChanged();
      return {};
    },
    'watchlist.save': ({ watchlists }) => {
      watch.save(watchlists);
      onWatchChanged();
      return {};
    },
    ...deps.queries,
    ...deps.keys,
    ...deps.alerting,
    ...deps.relay,
    ...deps.connection,
    ...deps.subscriptions,
    ...deps.selfTest,
    ...deps.archive,
  };
}
