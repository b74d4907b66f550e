// Main, core: finds prices that meet the condition of a rule, and receives them as events.

import type { Client } from '../../../client/client.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { priceAlertChannels } from '../../../shared/channels/price-alerts.ts';
import type { Row } from '../../../shared/channels/state.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { PRICE_EVENT } from '../../../shared/settings/core-events.ts';
import type { Miss } from '../../../shared/settings/misses.ts';
import {
  afterCrossing,
  type Crossing,
  next,
  type PriceCondition,
  type PriceState,
  type Quote,
  quoteOf,
} from '../../../shared/settings/price-conditions.ts';
import { contradictionOf } from '../../../shared/settings/rule-contradictions.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { idOf, type PriceWatch } from '../ledger/price-states.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import { type PlacedSymbols, ruleContextOf } from '../notifications/rule-context.ts';
import type { RuleStore } from '../notifications/rule-store.ts';
import { missOf } from '../notifications/rules.ts';
import type { Receive } from '../receive.ts';
import type { RowTable } from '../rows.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import { backtestPrices } from './backtest.ts';

export interface PriceAlerts extends CoreModule {
  readonly handlers: Handlers<typeof priceAlertChannels>;
  readonly on: Required<Pick<Required<CoreModule>['on'], 'signalsPolled' | 'rulesChanged'>>;
  start(): void;
}

export interface PriceAlertsDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'entries' | 'priceStates' | 'transaction' | 'unwritten'>;
  readonly receive: Receive;
  readonly rows: Pick<RowTable, 'all'>;
  readonly ruleStore: Pick<RuleStore, 'rules'>;
  readonly watch: PlacedSymbols;
  readonly scheduled: Pick<DueLookup, 'due'>;
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
}

/** Conditions that do not end the following of a price. */
const AT_CROSSING: readonly Miss[] = ['outside_hours', 'not_due', 'due'];

/** A rule and one of its symbols, with the price that decides. */
interface Watched extends PriceWatch {
  readonly condition: PriceCondition;
  readonly row: Row;
}

/**
 * The id has the instant since which the price was on the other side, so a crossing keeps it across restarts.
 */
const crossingId = ({ rule, symbol }: PriceWatch, since: number): string => `price:${rule}:${symbol}:${since}`;

export function createPriceAlerts(deps: PriceAlertsDeps): PriceAlerts {
  const { context, ledger, receive, rows, ruleStore, watch, scheduled, client, mayAsk } = deps;
  const { guard, world, profile, calendarOf } = context;
  const { clock } = guard;
  /** The states in the ledger; null: not read yet. */
  let states: Map<string, PriceState> | null = null;
  /** Ids of the states whose instant comes from an earlier run. */
  let earlier: Set<string> = new Set();
  /** When the rows of the last run were received: their prices are old. */
  let recalled: ReadonlyMap<string, string | null> = new Map();

  const covers = (rule: Rule, row: Row, now: number): boolean => {
    const crossing = { rule: rule.id, asset_class: row.signal?.asset_class ?? null } as Crossing;
    const event = { event: PRICE_EVENT, symbol: row.symbol, transition: null, attributes: null, occurredAt: now };
    const options = { profile: profile.name, calendarOf, watch, scheduled };
    const miss = missOf(rule, ruleContextOf({ ...event, crossing }, now, options));
    // They apply at the crossing, so the price is followed meanwhile too.
    return miss === null || AT_CROSSING.includes(miss);
  };
  const watched = (): Watched[] => {
    const now = world.now();
    const active = ruleStore.rules().filter((rule) => rule.price !== null && contradictionOf(rule) === null);
    return active.flatMap((rule) =>
      rows
        .all()
        .flatMap((row): Watched[] =>
          rule.price !== null && watch.isWatched(row.symbol) && covers(rule, row, now)
            ? [{ rule: rule.id, symbol: row.symbol, condition: rule.price, row }]
            : [],
        ),
    );
  };
  const priceOf = (row: Row): Quote | null => {
    const quote = quoteOf(row);
    const isRecalled = recalled.has(row.symbol) && recalled.get(row.symbol) === row.received_at;
    return quote === 'none' || quote === 'stale' || isRecalled ? null : quote;
  };
  const read = (): Map<string, PriceState> => {
    if (states !== null) return states;
    states = readStates(ledger, clock.now());
    earlier = new Set(states.keys());
    return states;
  };

  const check = (): void => {
    if (!world.isKnown()) return;
    const known = read();
    const all = watched();
    if (all.length === 0 && known.size === 0) return;
    const changed: (readonly [PriceWatch, PriceState])[] = [];
    const crossings: ReceivedEvent[] = [];
    for (const one of all) {
      const quote = priceOf(one.row);
      if (quote === null) continue;
      const before = known.get(idOf(one)) ?? null;
      const step = next(before, one.condition, quote, clock.now());
      const { crossed, change } = step;
      // An earlier run may have notified a crossing under this instant and lost it, so the next one gets a
      // new id, but only while the ledger can write it: else the next run would repeat the crossing under the
      // old id.
      const isEarlier = (crossed !== null || ledger.unwritten() === null) && earlier.delete(idOf(one));
      const isKeptFrom = isEarlier && crossed === null && step.state !== null;
      const state = isKeptFrom ? { ...step.state, since: clock.now() } : step.state;
      if (crossed !== null && before !== null)
        crossings.push(eventOf(crossingOf(one, quote, crossed, change), before.since, world.now()));
      if (state !== null && JSON.stringify(state) !== JSON.stringify(before)) changed.push([one, state]);
    }
    // Before the states: a crossing whose state is lost is recognised by its id.
    if (crossings.length > 0) receive('poll', crossings);
    const kept = new Set(all.map(idOf));
    const isFewer = [...known.keys()].some((id) => !kept.has(id));
    if (changed.length === 0 && !isFewer) return;
    ledger.transaction(() => {
      for (const [one, state] of changed) ledger.priceStates.put(one, state);
      if (isFewer) ledger.priceStates.keep(kept);
    });
    for (const [one, state] of changed) known.set(idOf(one), state);
    for (const id of known.keys()) if (!kept.has(id)) known.delete(id);
  };

  return {
    handlers: {
      'priceAlerts.backtest': ({ rule }) =>
        backtestPrices(rule, {
          rows: rows
            .all()
            .filter((row) => watch.isWatched(row.symbol) && covers({ ...rule, enabled: true }, row, world.now())),
          client,
          mayAsk,
          now: world.now(),
        }),
    },
    on: { signalsPolled: check, rulesChanged: check },
    start() {
      recalled = new Map(rows.all().map(({ symbol, received_at }) => [symbol, received_at]));
    },
  };
}

function readStates({ priceStates, entries }: PriceAlertsDeps['ledger'], now: number): Map<string, PriceState> {
  return new Map(
    [...priceStates.all()].map(([id, state]) => {
      const [rule = '', symbol = ''] = id.split(' ');
      // The program ended after it had written the event, and before its state.
      const isCrossed = entries.findById(crossingId({ rule, symbol }, state.since)) !== undefined;
      return [id, isCrossed ? afterCrossing(state, now) : state];
    }),
  );
}

/**
 * @param since when the price reached the side that it leaves, this computer's clock. @param at world time,
 * ms
 */
const eventOf = (crossing: Crossing, since: number, at: number): ReceivedEvent => ({
  eventId: crossingId(crossing, since),
  seq: null,
  event: PRICE_EVENT,
  occurredAt: at,
  symbol: crossing.symbol,
  transition: null,
  attributes: { confidence: null, regime: null, version: null, type: null, title: null },
  crossing,
  body: JSON.stringify(crossing),
  assumptions: [],
});

const crossingOf = (
  { rule, symbol, condition, row }: Watched,
  { price, at }: Quote,
  direction: 'up' | 'down',
  change: number | null,
): Crossing => ({
  rule,
  symbol,
  asset_class: row.signal?.asset_class ?? null,
  ...(row.signal?.currency === undefined ? {} : { currency: row.signal.currency }),
  condition,
  direction,
  price,
  price_at: timestamp(at),
  change_pct: change,
});
