// Main, command line: `barograph watch`: lists, adds and removes the symbols of watchlists.

import { writtenState } from '../../../shared/domain/states.ts';
import { symbolsOf } from '../../../shared/domain/watchlists.ts';
import { UsageError } from '../../host/command-line.ts';
import { symbolIn } from './alerts.ts';
import { type AppFlags, printFromApp } from './app-output.ts';

export interface WatchFlags extends AppFlags {
  readonly list?: string;
  readonly section?: string;
}

/** A line a symbol, with its present signal. */
export const listWatched = (flags: WatchFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const { watchlists, rows } = await app.call('state.snapshot', {});
    const lists = watchlists.filter(({ id, name }) => [undefined, id, name].includes(flags.list));
    if (lists.length === 0)
      throw new UsageError(
        `--list ${flags.list}: there is no such watchlist. Watchlists: ${watchlists.map(({ name }) => name).join(', ')}.`,
      );
    const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
    return lists.flatMap((list) =>
      list.sections.flatMap((section) =>
        section.symbols.map((symbol) => {
          const row = bySymbol.get(symbol) ?? null;
          const signal = row?.signal ?? null;
          const state = signal === null ? 'no signal' : writtenState(signal.state, signal.state_word);
          return {
            record: { list: list.name, list_id: list.id, section: section.name, symbol, row },
            fields: [
              symbol.padEnd(8),
              `${state}${row?.stale === true ? ', old' : ''}`.padEnd(14),
              `${list.name}, ${section.name}`,
            ],
          };
        }),
      ),
    );
  });

/** @param kind what happens to the symbols */
export const editWatched = (kind: 'add' | 'remove', given: readonly string[], flags: WatchFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const symbols = [...new Set(given.map((symbol) => symbolIn('SYMBOL', symbol)))];
    const list = await app.call('watchlist.edit', {
      list: flags.list ?? null,
      section: flags.section ?? null,
      add: kind === 'add' ? symbols : [],
      remove: kind === 'remove' ? symbols : [],
    });
    const what = kind === 'add' ? 'watched in' : 'removed from';
    return symbols.map((symbol) => ({
      record: { done: kind === 'add' ? 'added' : 'removed', symbol, list: list.name, symbols: symbolsOf(list).length },
      fields: [symbol, what, list.name],
    }));
  });
