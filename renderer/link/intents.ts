// Renderer: what a user can ask of the core. An intent changes nothing here: what it changes comes back as a push.
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { Watchlist } from '../../shared/domain/watchlists.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

export interface Intents {
  select(symbol: string): void;
  /** These are all the watchlists from now on. */
  saveWatchlists(watchlists: readonly Watchlist[]): void;
  /** Connects to the service now instead of at the end of the wait. */
  retry(): void;
}

export function createIntents(window: Window<Channels>, ingest: Ingest): Intents {
  const say = (answer: Promise<unknown>): void => {
    answer.then(
      () => ingest({ kind: 'problem', message: null }),
      (thrown) => ingest({ kind: 'problem', message: messageOf(thrown) }),
    );
  };
  return {
    select: (symbol) => say(window.call('watchlist.select', { symbol })),
    saveWatchlists: (watchlists) => say(window.call('watchlist.save', { watchlists: [...watchlists] })),
    retry: () => say(window.call('connection.retry', {})),
  };
}
