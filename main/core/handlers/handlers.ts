// Main, core: one function per call that a window may make. Rules live in the rooms; this only passes on.
import type { Channels } from '../../../shared/channels/channels.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Timeline } from '../../../shared/channels/state.ts';
import type { Watch } from '../profiles/watch.ts';
import type { CoreState } from '../state/state.ts';

export interface HandlerRooms {
  readonly state: Pick<CoreState, 'snapshot'>;
  readonly watch: Pick<Watch, 'select' | 'save'>;
  readonly readTimeline: (symbol: string) => Promise<Timeline>;
  readonly onWatchChanged: () => void;
  readonly retry: () => void;
}

export function createHandlers({ state, watch, readTimeline, onWatchChanged, retry }: HandlerRooms): Handlers<Channels> {
  return {
    'state.snapshot': () => state.snapshot(),
    'timeline.read': ({ symbol }) => readTimeline(symbol),
    'watchlist.select': ({ symbol }) => {
      watch.select(symbol);
      onWatchChanged();
      return {};
    },
    'watchlist.save': ({ watchlist }) => {
      watch.save(watchlist);
      onWatchChanged();
      return {};
    },
    'connection.retry': () => {
      retry();
      return {};
    },
  };
}
