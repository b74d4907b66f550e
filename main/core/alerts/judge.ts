// Main, core: judges a new event for the ledger: gathers the facts that the rules ask for, and says whether it is told now, later, or not.
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import type { Inlet, ReceivedEvent } from '../dialect/received-event.ts';
import type { Decision, Judge } from '../ledger/ledger.ts';
import { MUTE_BIN, type NewTelling } from '../ledger/tellings.ts';
import { FLAP_LIMIT } from './flapping.ts';
import { endedBy, type Mute, mutedBy } from './mutes.ts';
import { readingOf } from './reading.ts';
import type { RuleBook } from './rule-book.ts';
import { type Facts, judgeByRules } from './rules.ts';
import { notificationId } from './words.ts';

export interface JudgeFacts {
  readonly environment: 'sandbox' | 'production';
  readonly book: Pick<RuleBook, 'rules' | 'quiet'>;
  readonly mutes: () => readonly Mute[];
  isWatched(symbol: string): boolean;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
  /** Percent in the given state, null where it is not known. */
  baseRate(symbol: string, state: number): number | null;
  /** World time, ms, of the first sight while the log of that time is still being read, null once it was read to its end. */
  readingPastBefore(): number | null;
  /** World time now, ms, and how fast it runs. */
  readonly world: { now(): number; face(): { readonly speed: number } };
  /** Why another notification would be one too many now; null: it is not. */
  pause(): string | null;
  /** How often the symbol changed in the time before this event. */
  changesBefore(symbol: string, at: number): number;
  /** Takes a place among those that may be told alone at this time; false: there is none left. */
  takePlace(): boolean;
}

/** Older than this when it arrives (world ms at speed 1), an event was missed: it is told with the others that were. */
const MISSED_AFTER = 60_000;
export const isLate = (age: number, world: { face(): { readonly speed: number } }): boolean =>
  age > MISSED_AFTER * Math.max(1, world.face().speed);

const LATE_WEBHOOK = 'came late, by webhook';

const NONE: readonly never[] = [];
/** Nothing is told of it. This is what becomes of most events: it should cost little. */
const untold = (reason: string | null, ends: Decision['ends']): Decision => ({
  reason,
  why: null,
  telling: null,
  outlets: NONE,
  ends,
});

export function createJudge(facts: JudgeFacts): Judge {
  /** What the stream brings was written after we began to listen, whenever it happened. */
  const isPast = (event: ReceivedEvent, inlet: Inlet): boolean => {
    if (inlet === 'stream') return false;
    const before = facts.readingPastBefore();
    return before !== null && event.occurredAt < before;
  };

  /** Where a telling goes first. A mute comes before everything, being told alone at once last. */
  const place = (
    event: ReceivedEvent,
    inlet: Inlet,
    seen: Facts,
    hold: number,
    mutes: readonly Mute[],
  ): Pick<NewTelling, 'outcome' | 'reason' | 'bin'> => {
    const muted = mutedBy(mutes, facts.book.quiet(), seen.symbol, seen.calendar, seen.now);
    if (muted !== null) return { outcome: 'muted', reason: muted.reason, bin: MUTE_BIN };
    const pause = facts.pause();
    if (pause !== null) return { outcome: 'dropped', reason: pause, bin: null };
    if (hold > 0) return { outcome: 'held', reason: `must hold ${hold} s`, bin: `hold:${hold}:${event.eventId}` };
    if (isLate(seen.now - seen.at, facts.world))
      return {
        outcome: 'gathered',
        reason: inlet === 'relay' ? LATE_WEBHOOK : 'came while nothing was seen',
        bin: 'away',
      };
    if (seen.symbol !== null && facts.changesBefore(seen.symbol, seen.at) + 1 >= FLAP_LIMIT)
      return { outcome: 'gathered', reason: 'flapping', bin: `flap:${seen.symbol}` };
    if (!facts.takePlace()) return { outcome: 'gathered', reason: 'one of many', bin: 'burst' };
    return { outcome: 'intent', reason: '', bin: null };
  };

  return (event, inlet) => {
    const { transition } = event;
    const name = transition === null ? event.event : signalEvent(transition.to_state);
    const rules = facts.book.rules();
    if (transition === null && !rules.some((rule) => rule.events.some((asked) => asked === name)))
      return untold(null, NONE);
    const active = facts.mutes();
    const ends =
      transition === null || active.length === 0
        ? NONE
        : endedBy(active, transition.symbol, transition.to_state, event.occurredAt);
    const { symbol } = event;
    const { confidence, regime } = readingOf(event);
    const seen: Facts = {
      event: name,
      symbol,
      toState: transition?.to_state ?? null,
      confidence,
      regime,
      at: event.occurredAt,
      now: facts.world.now(),
      calendar: sessionCalendarOf(transition?.asset_class ?? 'etf', facts.environment),
      watched: symbol !== null && facts.isWatched(symbol),
      // Asked for by few rules, and dear where lists are long.
      lists: symbol !== null && rules.some(({ scope }) => scope.kind === 'lists') ? facts.listsOf(symbol) : NONE,
    };
    const { matched, nearest } = judgeByRules(rules, seen);
    const [first] = matched;
    if (first === undefined) return untold(nearest === null ? 'no_rule' : `${nearest.miss}:${nearest.rule}`, ends);
    if (isPast(event, inlet)) return untold(`before_first_sight:${first.id}`, ends);

    const isFall = transition !== null && transition.to_state < transition.from_state;
    const hold = isFall ? first.hold_down_seconds : first.hold_up_seconds;
    const left = ends.length === 0 ? active : active.filter(({ id }) => !ends.some((end) => end.id === id));
    const placed = place(event, inlet, seen, hold, left);
    const names = matched.map((rule) => `"${rule.name}"`).join(', ');
    return {
      reason: `matched:${first.id}`,
      why: `It fits ${names}.${placed.reason === '' ? ' Told at once.' : ` ${WORDS[placed.outcome]}: ${placed.reason}.`}`,
      telling: {
        id: notificationId(event.eventId),
        kind: 'alert',
        rules: matched.map(({ id }) => id),
        baseRate: transition === null ? null : facts.baseRate(transition.symbol, transition.to_state),
        ...placed,
      },
      outlets: matched.filter(({ outlet }) => outlet !== null).map(({ id }) => id),
      ends,
    };
  };
}

const WORDS: Readonly<Record<NewTelling['outcome'], string>> = {
  intent: 'Told',
  held: 'It waits',
  gathered: 'It waits for others',
  muted: 'It is kept back',
  dropped: 'It is not told',
};
