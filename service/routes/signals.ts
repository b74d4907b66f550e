// Service, routes: GET /snapshot, /signal, /history: the current states and their history.
import { splitFactor } from '../../shared/domain/price-questions.ts';
import type { HistoryPoint, List, PriceHole } from '../../shared/wire/records.ts';
import { listOrNull, symbolsOf } from '../list-filters.ts';
import { Refusal } from '../refusal.ts';
import type { DataHealth } from '../signals/data-health.ts';
import { assertCovered } from './covered.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { onLeader } from './leader-requests.ts';
import { pageOf, rangeOf } from './page.ts';

export const signalHandlers = (
  deps: HandlerDeps,
): Pick<Handlers, 'snapshot' | 'signal' | 'answerPrice' | 'history'> => ({
  snapshot({ query: { limit, after, ...filters } }) {
    const scope = { list: 'snapshot', ...filters };
    const symbols = symbolsOf(filters);
    const states = listOrNull(filters.state);
    const regimes = listOrNull<string>(filters.regime);
    const classes = listOrNull(filters.class);
    const begin = after === undefined ? '' : String(deps.cursors.open(scope, after)[0]);
    const { signals } = deps.content;
    // A signal takes far longer than these filters.
    const rows = signals
      .all(
        ({ symbol, assetClass }) =>
          symbol > begin &&
          (symbols === null || symbols.includes(symbol)) &&
          (classes === null || classes.includes(assetClass)) &&
          (filters.include?.includes('stale') === true || !signals.ended(symbol)),
      )
      .filter(
        ({ state, regime }) =>
          (states === null || states.includes(state)) &&
          (regimes === null || (regime !== null && regimes.includes(regime))),
      );
    return pageOf(
      rows,
      limit,
      (signal) => signal,
      (last) => deps.cursors.seal(scope, [last.symbol]),
    );
  },
  signal({ query: { symbol } }) {
    assertCovered(deps, symbol);
    const signal = deps.content.signals.signal(symbol);
    if (signal === null) throw new Refusal('symbol_not_covered', `${symbol} has no signal yet.`);
    return signal;
  },
  async answerPrice({ params: { symbol, date }, body }, { caller }) {
    assertCovered(deps, symbol);
    // An answer changes the signals of every account.
    if (caller?.account !== deps.store.keys.operator())
      throw new Refusal('forbidden', "Only the operator's keys answer a question about a price.");
    const { answer, ratio = '' } = body;
    await onLeader(deps, { decide: { symbol, date, answer, factor: splitFactor(ratio) } });
    return body;
  },
  history({ query }) {
    assertCovered(deps, query.symbol);
    return historyPage(deps, query);
  },
});

interface HistoryQuery {
  readonly symbol: string;
  readonly limit: number;
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Oldest first. The cursor holds a session date, because the forming day's time moves. */
function historyPage(
  { content: { signals }, cursors }: HandlerDeps,
  { limit, after, ...filters }: HistoryQuery,
): List<HistoryPoint> & DataHealth & { price_holes?: PriceHole[] } {
  const scope = { list: 'history', ...filters };
  const { from, to } = rangeOf(filters);
  const begin = after === undefined ? '' : String(cursors.open(scope, after)[0]);
  const rows = signals.history(filters.symbol).filter(({ date, point }) => {
    const at = Date.parse(point.timestamp);
    return date > begin && (from === null || at >= from) && (to === null || at <= to);
  });
  const page = pageOf(
    rows,
    limit,
    ({ point }) => point,
    ({ date }) => cursors.seal(scope, [date]),
  );
  const holes = signals.holes(filters.symbol);
  return { ...page, ...signals.health(filters.symbol), ...(holes.length > 0 && { price_holes: holes }) };
}
