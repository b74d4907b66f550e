// Main, core: the context of an event that rules and mutes test.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import type { CalendarOf, SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import type { WatchedSymbols } from '../../../shared/settings/alert-rules.ts';
import type { BreadthCondition } from '../../../shared/settings/breadth-conditions.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import type { EventAttributes, ReceivedEvent } from '../compat/received-event.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';

export interface RuleContext {
  /** signal.created is evaluated as the signal.* of its state (docs/contract.md 30). */
  readonly event: string;
  readonly symbol: string | null;
  /** For signal.*: the state entered; for an alert of another program: its severity. */
  readonly toState: State | null;
  /** The asset class is known for signal.* and prices only. */
  readonly attributes: Pick<EventAttributes, 'confidence' | 'regime'> & { readonly asset_class?: AssetClass | null };
  /** The rule whose condition a price met; null for any other event. */
  readonly priceRule: string | null;
  /** The condition that the share of a list met; null for any other event. */
  readonly breadth: BreadthCondition | null;
  /** World time, ms. */
  readonly at: number;
  /** World time now, ms. */
  readonly now: number;
  readonly calendar: SessionCalendar;
  /** Name of the profile that received it. */
  readonly profile: string;
  readonly watch: PlacedSymbols;
  readonly scheduled: Pick<DueLookup, 'due'>;
}

export interface PlacedSymbols extends WatchedSymbols {
  /** Keys of the sections that have the symbol. */
  sectionsOf(symbol: string): readonly string[];
}

export interface RuleContextOptions {
  /** Name of the profile. */
  readonly profile: string;
  readonly calendarOf: CalendarOf;
  readonly watch: PlacedSymbols;
  /** What is due. */
  readonly scheduled: Pick<DueLookup, 'due'>;
}

/** Labels that mute matchers test, with the current lists. */
export const labelsOf = ({
  symbol,
  toState,
  attributes,
  breadth,
  watch,
}: Pick<RuleContext, 'symbol' | 'toState' | 'attributes' | 'breadth' | 'watch'>): AlertLabels => ({
  symbol,
  lists: symbol === null ? (breadth === null ? [] : [breadth.list]) : watch.listsOf(symbol),
  sections: symbol === null ? [] : watch.sectionsOf(symbol),
  class: attributes.asset_class ?? null,
  state: toState,
});

const NO_ATTRIBUTES = { confidence: null, regime: null };

/** @param now world time, ms */
export function ruleContextOf(
  event: Pick<
    ReceivedEvent,
    'event' | 'symbol' | 'transition' | 'attributes' | 'crossing' | 'foreign' | 'breadth' | 'occurredAt'
  >,
  now: number,
  { profile, calendarOf, watch, scheduled }: RuleContextOptions,
): RuleContext {
  const { transition, crossing, foreign, symbol, occurredAt } = event;
  // Who was notified of a state is notified of its withdrawal.
  const isWithdrawn = transition?.in_question === 'withdrawn';
  const state = (isWithdrawn ? transition?.from_state : transition?.to_state) ?? null;
  const attributes = transition ?? event.attributes ?? NO_ATTRIBUTES;
  return {
    event: state === null ? event.event : signalEvent(state),
    symbol,
    toState: state ?? foreign?.severity ?? null,
    attributes: crossing === undefined ? attributes : { ...attributes, asset_class: crossing.asset_class },
    priceRule: crossing?.rule ?? null,
    breadth: event.breadth?.condition ?? null,
    at: occurredAt,
    now,
    calendar: calendarOf(symbol, transition?.asset_class ?? crossing?.asset_class),
    profile,
    watch,
    scheduled,
  };
}

/** The context of a past event, with the current watchlists; null: its body is unreadable. */
export function pastContextOf(row: EntryRow, options: RuleContextOptions): RuleContext | null {
  if (row.transition === null && row.attributes === null) return null;
  const at = row.occurred_s * 1000;
  return ruleContextOf({ ...row, occurredAt: at }, at, options);
}
