// Main, core: the window's changes to the watchlists, and the rows that follow from them.
import type { EventBus } from '../events.ts';
import type { CoreModule } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../rows.ts';

export interface WatchlistDeps {
  readonly watch: Watch;
  readonly rows: Pick<RowTable, 'keep'>;
  readonly events: Pick<EventBus, 'emit'>;
}

export function createWatchlists({ watch, rows, events }: WatchlistDeps) {
  const changed = (): Record<string, never> => {
    events.emit('watchlistsChanged', { hasOtherSymbols: rows.keep(watch.symbols()) });
    return {};
  };
  return {
    handlers: {
      'watchlist.select': ({ symbol }) => {
        watch.select(symbol);
        return changed();
      },
      'watchlist.save': ({ watchlists }) => {
        watch.save(watchlists);
        return changed();
      },
    },
    on: {
      settingsChanged() {
        if (watch.refresh()) changed();
      },
    },
  } satisfies CoreModule;
}
