// Main, core: the time that was not watched: from the last moment of sight before it to the moment when everything was fetched. It is kept
// until the user has looked at it, and grows when another such time follows.
import type { Away } from '../../../shared/channels/alerting.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transitionOf } from '../state/alerts.ts';

export interface AwayStory {
  /** Everything was fetched; these gaps were open until then. `until`: world time, ISO. Returns whether there is a story to tell now. */
  ended(gaps: readonly Gap[], until: string): boolean;
  seen(): void;
  story(): Away | null;
}

/** A shorter time is not told as one, ms of the world's clock. */
const SHORTEST = 60_000;
const MOST = 20_000;
const KEPT_EACH = 50;

export function createAwayStory(
  ledger: Pick<Ledger, 'facts' | 'entries' | 'transaction'>,
  isWatched: (symbol: string) => boolean,
): AwayStory {
  const { facts } = ledger;
  return {
    ended(gaps, until) {
      const [longest] = gaps
        .filter(({ from, closed }) => !closed && Date.parse(until) - Date.parse(from) >= SHORTEST)
        .sort((a, b) => a.from.localeCompare(b.from));
      if (longest === undefined) return false;
      const before = facts.get('away_from');
      const isUnseen = before !== null && before !== '';
      ledger.transaction(() => {
        facts.set('away_from', isUnseen && before < longest.from ? before : longest.from);
        facts.set('away_until', until);
        facts.set('away_cause', longest.cause);
      });
      return true;
    },
    seen: () => facts.set('away_from', ''),
    story() {
      const [from, until, cause] = [facts.get('away_from'), facts.get('away_until'), facts.get('away_cause')];
      if (from === null || from === '' || until === null) return null;
      const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
      const bySymbol = new Map<string, { readonly id: number; readonly transition: Transition }[]>();
      for (const row of ledger.entries.signalsBetween(seconds(from), seconds(until) + 1, MOST)) {
        const transition = transitionOf(row);
        if (transition === null || !isWatched(transition.symbol)) continue;
        const own = bySymbol.get(transition.symbol) ?? [];
        own.push({ id: row.ledger_id, transition });
        bySymbol.set(transition.symbol, own);
      }
      const symbols = [...bySymbol].flatMap(([symbol, changes]) => {
        const [first, last] = [changes[0], changes.at(-1)];
        if (first === undefined || last === undefined) return [];
        const states = changes.map(({ transition }) => transition.to_state);
        return [
          {
            symbol,
            from_state: first.transition.from_state,
            to_state: last.transition.to_state,
            peak_state: Math.max(first.transition.from_state, ...states) as State,
            changes: changes.length,
            ledger_ids: changes.slice(-KEPT_EACH).map(({ id }) => id),
          },
        ];
      });
      symbols.sort((a, b) => b.peak_state - a.peak_state || b.to_state - a.to_state || a.symbol.localeCompare(b.symbol));
      return { from, until, cause: cause ?? '', symbols };
    },
  };
}
