// Main, core: the window's changes to the watchlists, and the rows that follow from them.
import { refused } from '../../../shared/channels/channel.ts';
import { addSection, addSymbols, positionOf, removeSymbol, withList } from '../../../shared/domain/watchlist-edits.ts';
import { sourceListId, type Watchlist, WatchlistSchema } from '../../../shared/domain/watchlists.ts';
import { message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { CoreModule } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../rows.ts';

export interface WatchlistDeps {
  /** Name of the profile. */
  readonly profile: string;
  readonly watch: Watch;
  readonly rows: Pick<RowTable, 'keep'>;
  readonly events: Pick<EventBus, 'emit'>;
}

export function createWatchlists({ profile, watch, rows, events }: WatchlistDeps) {
  const changed = (): Record<string, never> => {
    events.emit('watchlistsChanged', { hasOtherSymbols: rows.keep(watch.symbols()) });
    return {};
  };
  return {
    handlers: {
      'watchlist.edit'({ list: named, section, add, remove }) {
        const list = listNamed(watch.lists(), named, profile);
        const missing = remove.filter((symbol) => positionOf(list, symbol) === null);
        if (missing.length > 0)
          throw refused(message('list.without', { list: list.name, symbols: missing.join(', ') }));
        const prepared = section === null ? list : withSectionNamed(list, section);
        const at = Math.max(
          0,
          prepared.sections.findIndex(({ name }) => name === section),
        );
        const edited = addSymbols(remove.reduce(removeSymbol, prepared), add, at, list.name);
        if (!WatchlistSchema.safeParse(edited).success) throw refused(message('list.full', { list: list.name }));
        watch.save(withList(watch.lists(), edited));
        changed();
        return edited;
      },
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

/** @param named id or name of a list; null: the profile's own list, or the first @throws RefusedError */
function listNamed(lists: readonly Watchlist[], named: string | null, profile: string): Watchlist {
  const wanted = named ?? sourceListId(profile);
  const found = lists.find(({ id }) => id === wanted) ?? lists.find(({ name }) => name === wanted);
  const list = found ?? (named === null ? lists[0] : undefined);
  if (list === undefined)
    throw refused(message('list.unknown', { list: wanted, lists: lists.map(({ name }) => name).join(', ') }));
  return list;
}

const withSectionNamed = (list: Watchlist, section: string): Watchlist =>
  list.sections.some(({ name }) => name === section) ? list : addSection(list, section, list.sections.length);
