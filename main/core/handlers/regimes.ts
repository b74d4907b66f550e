// Main, core: reads the regime of a symbol now, and its history by day, hour or minute.
import type { Client } from '../../../client/client.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Granularity, RegimeNow, RegimePage } from '../../../shared/channels/queries.ts';
import { message } from '../../../shared/text/message.ts';
import { REGIME_WAITS } from '../../../shared/wire/regime.ts';
import { finite, instant, isFields, percent, priceOf } from '../compat/fields.ts';
import { regimeOf } from '../compat/normalize.ts';
import { cannotShow, notUnderstood } from '../compat/refusals.ts';

export interface RegimeQuery {
  readonly symbol: string;
  readonly granularity: Granularity;
  readonly from: string;
  readonly to: string;
  readonly after: string | null;
}

export interface RegimeReader {
  /** @param at as of that instant, in an answer that says so; without it now. @throws RefusedError with the service's message */
  read(symbol: string, at?: string): Promise<RegimeNow>;
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
      const points = rows.flatMap(pointOf);
      return { symbol, granularity: servedGranularity(granularity, points), points, next: hasMore ? nextCursor : null };
    }
    const found = answer?.error ?? null;
    // docs/contract.md 17: 400, 402 or 403 on minutes means hours.
    if (
      granularity === 'minute' &&
      (found?.kind === 'forbidden' || found?.kind === 'bad_request' || found?.status === 402)
    )
      return page({ ...ask, granularity: 'hour', after: null });
    throw cannotShow(message('data.regimes', { symbol }), symbol, found);
  };
  return {
    page,
    async read(symbol, at) {
      const what = message('data.regime', { symbol });
      const answer = mayAsk()
        ? await client.read('regime', { params: { symbol }, query: at === undefined ? {} : { as_of: at } })
        : null;
      if (answer?.ok !== true) throw cannotShow(what, symbol, answer?.error ?? null);
      const { value } = answer.value;
      const regime = isFields(value) ? regimeOf(value) : null;
      if (!isFields(value) || regime === null) throw notUnderstood(what);
      // A service that does not know as_of answers with the present.
      if (at !== undefined && instant(value.as_of) !== instant(at))
        throw refused(message('service.not_found', { what }));
      const probabilities = probabilitiesOf(value.probabilities);
      return {
        symbol,
        regime,
        since: instant(value.since),
        confidence: percent(value.confidence),
        decidedAt: instant(value.decided_at),
        candidate: statedCandidate(value.candidate) ?? likelierThan(regime, probabilities),
        ...(value.data_health === 'stale' ? { staleSeconds: Math.max(0, finite(value.data_age_seconds) ?? 0) } : {}),
        probabilities,
      };
    },
  };
}

/** The candidate that the service names; null where it names none. */
function statedCandidate(value: unknown): RegimeNow['candidate'] {
  if (!isFields(value)) return null;
  const [regime, confidence, closes] = [regimeOf(value), percent(value.confidence), finite(value.closes_needed)];
  if (regime === null || confidence === null) return null;
  return {
    regime,
    confidence,
    closesNeeded: closes !== null && Number.isSafeInteger(closes) && closes >= 0 ? closes : null,
    waitsFor: REGIME_WAITS.find((wait) => wait === value.waits_for) ?? null,
  };
}

/** The candidate of a service that names none: the likeliest regime where that is not the official one. */
function likelierThan(regime: string, probabilities: RegimeNow['probabilities']): RegimeNow['candidate'] {
  const [best] = probabilities;
  const own = probabilities.find((one) => one.regime === regime);
  if (best === undefined || own === undefined || best.probability <= own.probability) return null;
  return { regime: best.regime, confidence: 100 * best.probability, closesNeeded: null, waitsFor: null };
}

const HOUR_MS = 3_600_000;
/**
 * A coarser granularity than asked for where no two rows are nearer: a service may have daily prices only.
 */
function servedGranularity(asked: Granularity, points: RegimePage['points']): Granularity {
  const times = points.map(({ at }) => Date.parse(at));
  const nearest = Math.min(...times.slice(1).map((at, index) => Math.abs(at - (times[index] ?? at))));
  if (asked === 'day' || !Number.isFinite(nearest)) return asked;
  return nearest >= 12 * HOUR_MS ? 'day' : asked === 'minute' && nearest >= HOUR_MS / 2 ? 'hour' : asked;
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
  const price = priceOf(row.price);
  if (at === null || regime === null) return [];
  return [{ at, regime, confidence: percent(row.confidence), ...(price === null ? {} : { price }) }];
}
