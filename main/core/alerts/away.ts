// Main, core: the time that was not watched: from the last moment of sight before it to the moment when everything was fetched. It is kept
// until the user has looked at it, and grows when another such time follows.
import type { Away } from '../../../shared/channels/alerting.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { Ingested, Ledger } from '../ledger/ledger.ts';
import { transitionOf } from '../state/alerts.ts';

export interface AwayStory {
  /** Everything was fetched; these gaps were open until then. `until`: world time, ISO. Returns whether there is a story to tell now. */
  ended(gaps: readonly Gap[], until: string): boolean;
  seen(): void;
  /** These were written down. */
  added(events: Ingested['added']): void;
  story(): Away | null;
}

/** A shorter time is not told as one, ms of the world's clock. */
const SHORTEST = 60_000;
const MOST = 20_000;
const KEPT_EACH = 50;

type Told = Away['symbols'][number];

/** World time, whole seconds: from the first up to before the second. */
type Stretch = readonly [number, number];

export function createAwayStory(
  ledger: Pick<Ledger, 'facts' | 'entries' | 'transaction'>,
  isWatched: (symbol: string) => boolean,
): AwayStory {
  const { facts } = ledger;
  /** As it was last told: windows ask for it with every change of what waits, and it changes only with what comes late. */
  let told: {
    readonly from: string;
    readonly until: string;
    readonly stretch: Stretch;
    readonly symbols: readonly Told[];
  } | null = null;
  const tell = (from: string, until: string): NonNullable<typeof told> => {
    const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
    const stretch: Stretch = [seconds(from), seconds(until) + 1];
    return { from, until, stretch, symbols: symbolsWithin(ledger.entries, stretch) };
  };
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
    added(events) {
      if (told === null) return;
      const [from, to] = told.stretch;
      if (events.some(({ event: { occurredAt } }) => occurredAt >= from * 1000 && occurredAt < to * 1000)) told = null;
    },
    story() {
      const [from, until, cause] = [facts.get('away_from'), facts.get('away_until'), facts.get('away_cause')];
      if (from === null || from === '' || until === null) return null;
      if (told?.from !== from || told.until !== until) told = tell(from, until);
      const symbols = told.symbols.filter(({ symbol }) => isWatched(symbol));
      return { from, until, cause: cause ?? '', symbols };
    },
  };
}

/** What each symbol did meanwhile, the gravest first. */
function symbolsWithin(entries: Pick<Ledger['entries'], 'signalsBetween'>, [from, to]: Stretch): Told[] {
  const bySymbol = new Map<string, { readonly id: number; readonly transition: Transition }[]>();
  for (const row of entries.signalsBetween(from, to, MOST)) {
    const transition = transitionOf(row);
    if (transition === null) continue;
    const own = bySymbol.get(transition.symbol) ?? [];
    own.push({ id: row.ledger_id, transition });
    bySymbol.set(transition.symbol, own);
  }
  return [...bySymbol]
    .flatMap(([symbol, changes]): Told[] => {
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
    })
    .sort((a, b) => b.peak_state - a.peak_state || b.to_state - a.to_state || a.symbol.localeCompare(b.symbol));
}
