// Service, routes: GET /factors and GET /api/archetypes/current: the twelve dimensions.

import { Refusal } from '../refusal.ts';
import { assertCovered } from './covered.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

export const factorHandlers = (deps: HandlerDeps): Pick<Handlers, 'factors' | 'archetypes'> => ({
  factors({ query: { limit, after, ...filters } }) {
    const { signals } = deps.content;
    const { symbol } = filters;
    assertCovered(deps, symbol);
    if (filters.from === undefined && filters.to === undefined && after === undefined) {
      const factors = signals.factors(symbol);
      if (factors === null) throw new Refusal('symbol_not_covered', `${symbol} has no factors yet.`);
      return { ...factors, ...signals.health(symbol) };
    }
    const scope = { list: 'factors', ...filters };
    const { from, to } = rangeOf(filters);
    const begin = after === undefined ? '' : String(deps.cursors.open(scope, after)[0]);
    const rows = signals
      .factorDays(symbol)
      .filter(({ date, at }) => date > begin && (from === null || at >= from) && (to === null || at <= to));
    const page = pageOf(
      rows,
      limit,
      ({ point }) => point(),
      ({ date }) => deps.cursors.seal(scope, [date]),
    );
    return { ...page, ...signals.health(symbol) };
  },
  archetypes({ query: { symbol } }) {
    const { signals } = deps.content;
    const archetypes = signals.coverage(symbol) === 'full' ? signals.archetypes(symbol) : null;
    if (archetypes === null)
      throw new Refusal('invalid_symbol', `${symbol} has no signal here. GET /snapshot lists what is covered.`);
    // Current powers need current prices (specification 4.5); other endpoints show the time of their data.
    if (!signals.available()) {
      throw new Refusal(
        'backend_unavailable',
        'Prices cannot be read at the moment. Try again later; /signal returns the last known values.',
      );
    }
    return { ...archetypes, ...signals.health(symbol) };
  },
});
