// Main, core: one function per call that a window may make. Rules live in the rooms; this only passes on.

import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import type { ArchiveChannels } from '../../../shared/channels/archive.ts';
import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { ConnectionChannels } from '../../../shared/channels/connection.ts';
import type { DrillChannels } from '../../../shared/channels/drill.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { keyChannels } from '../../../shared/channels/keys.ts';
import type { ValidationRecord } from '../../../shared/channels/readings.ts';
import type { RelayChannels } from '../../../shared/channels/relay.ts';
import type { Timeline } from '../../../shared/channels/state.ts';
import type { SubscriptionChannels } from '../../../shared/channels/subscriptions.ts';
import type { Memory } from '../archive/memory.ts';
import type { Watch } from '../profiles/watch.ts';
import type { CoreState } from '../state/state.ts';
import type { FactorReader } from './factors.ts';
import type { RegimeReader } from './regimes.ts';

export interface HandlerRooms {
  readonly state: Pick<CoreState, 'snapshot'>;
  readonly watch: Pick<Watch, 'select' | 'save'>;
  readonly readTimeline: (symbol: string) => Promise<Timeline>;
  readonly factors: FactorReader;
  readonly regimes: RegimeReader;
  readonly readValidation: () => Promise<ValidationRecord>;
  readonly keys: Handlers<typeof keyChannels>;
  readonly alerting: Handlers<typeof alertingChannels>;
  readonly relay: Handlers<RelayChannels>;
  readonly archive: Handlers<ArchiveChannels>;
  readonly memory: Memory;
  readonly drill: Handlers<DrillChannels>;
  readonly connection: Handlers<ConnectionChannels>;
  readonly subscriptions: Handlers<SubscriptionChannels>;
  readonly onWatchChanged: () => void;
}

export function createHandlers(rooms: HandlerRooms): Handlers<CoreChannels> {
  const { state, watch, readTimeline, factors, regimes, readValidation, memory, onWatchChanged } = rooms;
  return {
    'state.snapshot': () => state.snapshot(),
    'timeline.read': ({ symbol }) => readTimeline(symbol),
    'factors.read': ({ symbol }) => memory.one('factors.read', symbol, () => factors.read(symbol)),
    'factors.page': (ask) => memory.factors(ask, () => factors.page(ask)),
    'regime.read': ({ symbol }) => memory.one('regime.read', symbol, () => regimes.now(symbol)),
    'regime.page': (ask) => memory.regimes(ask, () => regimes.page(ask)),
    'validation.read': () => memory.one('validation.read', '', readValidation),
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
    ...rooms.keys,
    ...rooms.alerting,
    ...rooms.relay,
    ...rooms.connection,
    ...rooms.subscriptions,
    ...rooms.drill,
    ...rooms.archive,
  };
}
