// Main, core: reads the regime of a symbol now, and its history by day, hour or minute.
import type { Client } from '../../../client/client.ts';
import type { Granularity, RegimeNow, RegimePage } from '../../../shared/channels/queries.ts';
import { finite, instant, isFields, percent, regimeOf } from '../compat/normalize.ts';
import { cannotShow, notUnderstood } from '../refusals.ts';

export interface RegimeQuery {
  readonly symbol: string;
  readonly granularity: Granularity;
  readonly from: string;
  readonly to: string;
  readonly after: string | null;
}

export interface RegimeReader {
  /** @throws RefusedError with the service's message */
  now(symbol: string): Promise<RegimeNow>;
  /**
   * Reads hours where the plan refuses minutes, and says so. @throws RefusedError with the service's message
   */
  page(ask: RegimeQuery): Promise<RegimePage>;
}

export function createRegimeReader(client: Pick<Client, 'page' | 'read'>, mayAsk: () => boolean): RegimeReader {
  const page: RegimeReader['page'] = async (ask) => {
    const { symbol, granularity, from, to, after } = ask;
    const query = { granularity, from, to, limit: 100, ...(after === null ? {} : { after }) };
    const answer = mayAsk() ? await client.page('regimeHistory', { params: { symbol }, query }) : null;
    if (answer?.ok === true) {
      const { rows, hasMore, nextCursor } = answer.value;
      return { symbol, granularity, points: rows.flatMap(pointOf), next: hasMore ? nextCursor : null };
    }
    const found = answer?.error ?? null;
    // docs/contract.md 17: 400, 402 or 403 on minutes means hours.
    if (
      granularity === 'minute' &&
      (found?.kind === 'forbidden' || found?.kind === 'bad_request' || found?.status === 402)
    )
      return page({ ...ask, granularity: 'hour', after: null });
    throw cannotShow(`The regimes of ${symbol}`, symbol, found);
  };
  return {
    page,
    async now(symbol) {
      const what = `The regime of ${symbol}`;
      const answer = mayAsk() ? await client.read('regime', { params: { symbol } }) : null;
      if (answer?.ok !== true) throw cannotShow(what, symbol, answer?.error ?? null);
      const { value } = answer.value;
      const regime = isFields(value) ? regimeOf(value) : null;
      if (!isFields(value) || regime === null) throw notUnderstood(what);
      return {
        symbol,
        regime,
        since: instant(value.since),
        confidence: percent(value.confidence),
        probabilities: probabilitiesOf(value.probabilities),
      };
    },
  };
}

function probabilitiesOf(value: unknown): RegimeNow['probabilities'] {
  if (!isFields(value)) return [];
  return Object.entries(value)
    .flatMap(([regime, given]) => {
      const probability = finite(given);
      return probability === null || probability < 0 || probability > 1 ? [] : [{ regime, probability }];
    })
    .sort((a, b) => b.probability - a.probability);
}

function pointOf(row: unknown): RegimePage['points'] {
  if (!isFields(row)) return [];
  const at = instant(row.timestamp ?? row.as_of ?? row.time);
  const regime = regimeOf(row);
  return at === null || regime === null ? [] : [{ at, regime, confidence: percent(row.confidence) }];
}
