// Main, core: answers the course of a symbol's regimes by day, hour or minute, a page at a time.
import type { Client } from '../../../client/client.ts';
import type { Granularity, RegimePage } from '../../../shared/channels/readings.ts';
import { isFields, moment, percent, regimeOf } from '../dialect/mend.ts';
import { cannotShow } from './refusals.ts';

export interface RegimeAsk {
  readonly symbol: string;
  readonly granularity: Granularity;
  readonly from: string;
  readonly to: string;
  readonly after: string | null;
}

/** @returns the reader; where the plan refuses minutes it reads hours and says so. @throws RefusedError in the service's words */
export function createRegimeReader(client: Pick<Client, 'page'>, mayAsk: () => boolean): (ask: RegimeAsk) => Promise<RegimePage> {
  const read = async (ask: RegimeAsk): Promise<RegimePage> => {
    const { symbol, granularity, from, to, after } = ask;
    const query = { granularity, from, to, limit: 100, ...(after === null ? {} : { after }) };
    const answer = mayAsk() ? await client.page('regimeHistory', { params: { symbol }, query }) : null;
    if (answer?.ok === true) {
      const { rows, hasMore, nextCursor } = answer.value;
      return { symbol, granularity, points: rows.flatMap(pointOf), next: hasMore ? nextCursor : null };
    }
    const found = answer?.error ?? null;
    // CONTRACT 17: 400, 402 or 403 on minutes means hours.
    if (granularity === 'minute' && (found?.kind === 'forbidden' || found?.kind === 'bad_request' || found?.status === 402))
      return read({ ...ask, granularity: 'hour', after: null });
    throw cannotShow(`The regimes of ${symbol}`, symbol, found);
  };
  return read;
}

function pointOf(row: unknown): RegimePage['points'] {
  if (!isFields(row)) return [];
  const at = moment(row.timestamp ?? row.as_of ?? row.time);
  const regime = regimeOf(row);
  return at === null || regime === null ? [] : [{ at, regime, confidence: percent(row.confidence) }];
}
