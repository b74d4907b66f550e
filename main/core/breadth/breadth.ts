// Main, core: finds shares of lists that meet the condition of a rule, and receives them as events.
// It measures after each answer of the service about present states: back-fill brings states of the past in any order.

import { createHash } from 'node:crypto';
import { symbolsOf } from '../../../shared/domain/watchlists.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { appliesIn } from '../../../shared/settings/alert-rules.ts';
import {
  type Breadth,
  type BreadthCondition,
  breadthKey,
  isBreadthReached,
  isMeasured,
  measureBreadth,
} from '../../../shared/settings/breadth-conditions.ts';
import { BREADTH_ENDED, BREADTH_EVENT } from '../../../shared/settings/core-events.ts';
import { contradictionOf } from '../../../shared/settings/rule-contradictions.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import { inhibitionRules } from '../notifications/inhibition.ts';
import type { RuleStore } from '../notifications/rule-store.ts';
import { hasExpired } from '../notifications/rules.ts';
import type { Watch } from '../profiles/watch.ts';
import type { Receive } from '../receive.ts';
import type { RowTable } from '../rows.ts';

export interface BreadthDeps {
  readonly context: Pick<CoreContext, 'world' | 'profile'>;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly receive: Receive;
  readonly rows: Pick<RowTable, 'get'>;
  readonly ruleStore: Pick<RuleStore, 'rules' | 'grouping'>;
  readonly watch: Pick<Watch, 'lists'>;
}

/** Of a condition: the last event, which is its state too, so that a kill neither misses nor doubles one. */
interface BreadthState {
  readonly isReached: boolean;
  /** Nobody asked for it a moment ago, and it was not measured since: what is reached now is a crossing. */
  readonly isNew: boolean;
  /** Id of the last event; empty: none. */
  readonly lastId: string;
}

export function createBreadth(deps: BreadthDeps): {
  readonly on: Required<Pick<CoreModule['on'] & object, 'signalsPolled'>>;
} {
  const { context, ledger, receive, rows, ruleStore, watch } = deps;
  const { world, profile } = context;
  /** By the key of the condition; null: nothing was measured in this run yet. */
  let states: Map<string, BreadthState> | null = null;

  const asked = (now: number): Map<string, BreadthCondition> => {
    const rules = [...ruleStore.rules(), ...inhibitionRules(ruleStore.grouping())].filter(
      (rule) =>
        rule.enabled && !hasExpired(rule, now) && appliesIn(rule, profile.name) && contradictionOf(rule) === null,
    );
    return new Map(rules.flatMap(({ breadth }) => (breadth === null ? [] : [[breadthKey(breadth), breadth]])));
  };
  const firstState = (condition: BreadthCondition, isFirstOfRun: boolean): BreadthState => {
    const last = ledger.entries.newestBreadth(condition);
    return { isReached: last?.event === BREADTH_EVENT, isNew: !isFirstOfRun, lastId: last?.event_id ?? '' };
  };
  /** Id of the newest transition of these symbols. */
  const causeOf = (symbols: readonly string[]): string =>
    symbols
      .flatMap((symbol) => ledger.entries.signalBefore(symbol, Math.floor((world.now() + DAY_MS) / 1000)) ?? [])
      .reduce<EntryRow | null>(
        (newest, one) => (newest === null || one.occurredAt > newest.occurredAt ? one : newest),
        null,
      )?.event_id ?? '';
  const measure = (condition: BreadthCondition): Breadth | null => {
    const list = watch.lists().find(({ id }) => id === condition.list);
    if (list === undefined) return null;
    return { condition, name: list.name, ...measureBreadth(symbolsOf(list), rows.get, condition.state) };
  };
  const check = (): void => {
    if (!world.isKnown()) return;
    const now = world.now();
    const before = states;
    const next = new Map<string, BreadthState>();
    const events: ReceivedEvent[] = [];
    for (const [key, condition] of asked(now)) {
      const state = before?.get(key) ?? firstState(condition, before === null);
      next.set(key, state);
      const breadth = measure(condition);
      if (breadth === null || !isMeasured(breadth)) continue;
      // A crossing that was over meanwhile has no end yet, and would hold back others.
      const isReached = isBreadthReached(state.isReached && !state.isNew, condition.percent, breadth);
      next.set(key, { ...state, isNew: false });
      if (isReached === state.isReached && !(state.isNew && isReached)) continue;
      // It has the event before it, so that the same crossing has the same id in every run, and no other has it.
      const cause = isReached ? causeOf(breadth.symbols) : BREADTH_ENDED;
      const event = eventOf(idOf([key, state.lastId, cause]), isReached, breadth, now);
      next.set(key, { isReached, isNew: false, lastId: event.eventId });
      events.push(event);
    }
    if (events.length > 0) receive('poll', events);
    states = next;
  };

  return {
    on: {
      signalsPolled({ outcome }) {
        if (outcome.ok) check();
      },
    },
  };
}

const idOf = (parts: readonly string[]): string =>
  `breadth:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;

/** @param at world time, ms */
const eventOf = (eventId: string, isReached: boolean, breadth: Breadth, at: number): ReceivedEvent => ({
  eventId,
  seq: null,
  event: isReached ? BREADTH_EVENT : BREADTH_ENDED,
  occurredAt: at,
  symbol: null,
  transition: null,
  // The title finds the events of a condition.
  attributes: { confidence: null, regime: null, version: null, type: null, title: breadthKey(breadth.condition) },
  breadth,
  body: JSON.stringify(breadth),
  assumptions: [],
});
