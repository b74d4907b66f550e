// Service, validation: replays the live rule over past sessions, for the live validation record.
// Each session begins in the state of the previous close, so that sessions without effect on the score can be
// skipped (docs/model.md, section 9). Uses prices only up to the evaluated instant.

import type { State } from '../../shared/domain/states.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { frameOfBars, HOLD_OUT, WARM } from '../engine/scoring/frame.ts';
import { type LiveAlert, LiveSeries, liveWindows } from '../engine/scoring/live.ts';
import type { Bar, Engine, Reading } from '../engine/types.ts';
import type { MarketSource } from '../market/types.ts';
import { DWELL_MS } from '../signals/dwell.ts';
import { levelOver } from '../signals/price-level.ts';
import type { DatedMarket } from './past-market.ts';

/** The session in progress of one symbol. */
interface Session {
  readonly series: LiveSeries;
  /** World ms of each close. */
  readonly closesAt: readonly number[];
  /** Bar of the session. */
  bar: number;
  /** Whether to evaluate its prices, which may still change the score. */
  follows: boolean;
  /** Live state of the rule, and the announced state with its start. */
  liveState: State;
  announced: State;
  since: number;
  /** The first High Risk of the session, with the instants of its start and end. */
  alert: { readonly after: number; readonly price: number; readonly at: number | null; until: number | null } | null;
}

export class LiveReplay {
  readonly series: ReadonlyMap<string, LiveSeries>;
  readonly #source: MarketSource;
  readonly #sessions = new Map<string, Session>();
  #evaluatedTo = Number.NEGATIVE_INFINITY;

  /** Leaves out symbols without a year of intraday prices. */
  constructor(source: MarketSource, market: DatedMarket) {
    this.#source = source;
    for (const { symbol, assetClass, inputOnly } of market.instruments) {
      const closesAt = market.closesAt(symbol);
      const span = inputOnly ? null : spanOf(source, symbol, closesAt);
      if (span === null) continue;
      const bars = market.bars(symbol);
      const frame = frameOfBars(bars, assetClass);
      const series = new LiveSeries(frame, liveWindows(span.first, span.last, HOLD_OUT));
      this.#sessions.set(symbol, { ...FRESH, series, closesAt });
    }
    this.series = new Map([...this.#sessions].map(([symbol, { series }]) => [symbol, series]));
  }

  /** Evaluates every symbol up to the last close of these bars. Call it before the engine closes them. */
  beforeClose(symbols: Iterable<string>, engine: Engine): void {
    let end = this.#evaluatedTo;
    for (const symbol of symbols) {
      const session = this.#sessions.get(symbol);
      if (session !== undefined) end = Math.max(end, (session.closesAt[session.bar] ?? 0) - 1);
    }
    for (const [symbol, session] of this.#sessions) if (session.follows) this.#follow(symbol, session, engine, end);
    this.#evaluatedTo = end;
  }

  afterClose(readings: ReadonlyMap<string, Reading>): void {
    for (const [symbol, { state, close }] of readings) {
      const session = this.#sessions.get(symbol);
      if (session === undefined) continue;
      if (session.follows) finish(session, state, close);
      this.#begin(session, state, close);
    }
  }

  #follow(symbol: string, session: Session, engine: Engine, to: number): void {
    const { closesAt, bar } = session;
    const from = Math.max(this.#evaluatedTo, (closesAt[bar - 1] ?? 0) - 1);
    const lowest = this.#source.lowestOn?.(symbol, closesAt[bar - 1] ?? 0) ?? null;
    if (session.alert === null && lowest !== null && !engine.mayBeginHighRisk(symbol, lowest)) return;
    for (const at of this.#source.decisions(symbol, from, to)) {
      const found = this.#priceOf(symbol, at, engine);
      if (found === null) continue;
      const { price, missing } = found;
      // Before an alert, no other price affects the score.
      if (session.alert === null && !engine.mayBeginHighRisk(symbol, price, missing)) continue;
      session.liveState = engine.peekState(symbol, price, session.liveState, missing);
      const { liveState, announced, since } = session;
      if (liveState === announced || (liveState < announced && at - since < DWELL_MS)) continue;
      session.announced = session.liveState;
      session.since = at;
      if (session.alert === null && session.announced === 2)
        session.alert = { after: session.bar - 1, price, at, until: null };
      else if (session.alert !== null) {
        // The rest of the session does not affect the score.
        session.alert.until = at;
        take(session, false);
        return;
      }
    }
  }

  /** The price at the level of the closed bars, which splits and dividends may have changed since. */
  #priceOf(symbol: string, at: number, engine: Engine): (Pick<Bar, 'missing'> & { readonly price: number }) | null {
    const { formingClose, forming, lastBar } = this.#source;
    if (formingClose !== undefined) {
      const price = formingClose(symbol, at);
      return price === null ? null : { price };
    }
    const bar = forming(symbol, at);
    if (bar === null) return null;
    const { missing } = bar;
    const level = levelOver(engine.last(symbol), bar, lastBar?.(symbol, at));
    return { price: bar.close / level, ...(missing !== undefined && { missing }) };
  }

  /** Begins the session after a close in `state`. */
  #begin(session: Session, state: State, close: number): void {
    const bar = session.bar + 1;
    Object.assign(session, {
      bar,
      follows: false,
      liveState: state,
      announced: state,
      since: Number.NEGATIVE_INFINITY,
    });
    session.alert = null;
    if (!session.series.needs(bar)) return;
    if (state === 2) session.series.take({ session: bar, after: bar - 1, price: close, within: null });
    else session.follows = true;
  }
}

const FRESH = {
  bar: 0,
  follows: false,
  liveState: 0,
  announced: 0,
  since: Number.NEGATIVE_INFINITY,
  alert: null,
} as const;

/** Ends the session with its close, which may begin an alert. */
function finish(session: Session, state: State, close: number): void {
  if (session.alert === null && state === 2)
    session.alert = { after: session.bar, price: close, at: null, until: null };
  if (session.alert !== null) take(session, state === 2);
}

function take(session: Session, heldToClose: boolean): void {
  const { series, bar, alert, closesAt } = session;
  session.follows = false;
  if (alert === null) return;
  const { after, price, at, until } = alert;
  const end = until ?? closesAt[bar] ?? 0;
  const within: LiveAlert['within'] = at === null ? null : { minutes: (end - at) / MINUTE_MS, heldToClose };
  series.take({ session: bar, after, price, within });
}

/** First and last session with intraday prices after the warm-up; null: less than a year of sessions. */
function spanOf(
  source: MarketSource,
  symbol: string,
  closesAt: readonly number[],
): { first: number; last: number } | null {
  const has = (bar: number): boolean => {
    for (const _ of source.decisions(symbol, (closesAt[bar - 1] as number) - 1, (closesAt[bar] as number) - 1))
      return true;
    return false;
  };
  let first = WARM;
  while (first < closesAt.length && !has(first)) first += 1;
  let last = closesAt.length - 1;
  while (last > first && !has(last)) last -= 1;
  return last - first + 1 < MIN_SESSIONS ? null : { first, last };
}

const MIN_SESSIONS = 252;
