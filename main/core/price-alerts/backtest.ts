// Main, core: tests a price rule on the service's closes of the last 30 days, and notifies nothing.
import type { Client } from '../../../client/client.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { PriceBacktest } from '../../../shared/channels/price-alerts.ts';
import type { Row } from '../../../shared/channels/state.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { next, type PriceCondition, type PriceState } from '../../../shared/settings/price-conditions.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { HistoryPointSchema } from '../../../shared/wire/records.ts';
import { normalizeHistoryPoint } from '../compat/normalize.ts';

export interface PriceBacktestOptions {
  /** The rows of the rule's symbols. */
  readonly rows: readonly Pick<Row, 'symbol'>[];
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
  /** World time, ms. */
  readonly now: number;
}

const DEPTH = 30 * DAY_MS;
/** Each symbol costs a request. The answer says when symbols were left out. */
const MAX_SYMBOLS = 20;
const EXAMPLES = 20;

interface Close {
  readonly at: number;
  readonly price: number;
}

/** @throws RefusedError where the service cannot be asked, or the rule has no condition on a price */
export async function backtestPrices(rule: Rule, options: PriceBacktestOptions): Promise<PriceBacktest> {
  const { rows, client, mayAsk, now } = options;
  const { price: condition } = rule;
  if (condition === null) throw refused(message('rule.no_price'));
  const symbols = rows.map(({ symbol }) => symbol);
  const left = { untested: symbols.slice(MAX_SYMBOLS), without: [] as string[] };
  // Closes do not show a move within minutes.
  if (condition.kind === 'change' && condition.minutes !== null)
    return { symbols: 0, untested: symbols, without: [], from: null, closes: 0, notified: 0, examples: [] };
  if (!mayAsk()) throw refused(message('rule.backtest_offline'));
  const found: PriceBacktest['examples'] = [];
  let [closes, from, tested] = [0, Number.POSITIVE_INFINITY, 0];
  for (const symbol of symbols.slice(0, MAX_SYMBOLS)) {
    const history = await closesOf(client, symbol);
    const recent = history.filter(({ at }) => at >= now - DEPTH);
    const [first] = recent;
    if (first === undefined) {
      left.without.push(symbol);
      continue;
    }
    tested += 1;
    closes += recent.length;
    from = Math.min(from, first.at);
    found.push(...crossingsOf(symbol, condition, history).filter(({ at }) => Date.parse(at) >= now - DEPTH));
  }
  found.sort((a, b) => b.at.localeCompare(a.at));
  return {
    symbols: tested,
    ...left,
    from: tested === 0 ? null : timestamp(from),
    closes,
    notified: found.length,
    examples: found.slice(0, EXAMPLES),
  };
}

/** Closes, oldest first; empty where the service has no history of the symbol, or withholds its prices. */
async function closesOf(client: Pick<Client, 'page'>, symbol: string): Promise<Close[]> {
  const answer = await client.page('history', { query: { symbol, limit: 100 } });
  if (!answer.ok) return [];
  return answer.value.rows.flatMap((row): Close[] => {
    const point = HistoryPointSchema.safeParse(normalizeHistoryPoint(row)).data;
    return point === undefined || point.price === null ? [] : [{ at: Date.parse(point.timestamp), price: point.price }];
  });
}

/** The crossings that the rule would have notified, from close to close. */
function crossingsOf(symbol: string, condition: PriceCondition, closes: readonly Close[]): PriceBacktest['examples'] {
  let state: PriceState | null = null;
  let before: Close | null = null;
  const found: PriceBacktest['examples'] = [];
  for (const close of closes) {
    const changePercent = before === null ? null : (close.price / before.price - 1) * 100;
    const step = next(state, condition, { ...close, changePercent }, close.at);
    if (step.crossed !== null)
      found.push({ symbol, at: timestamp(close.at), price: close.price, change_pct: step.change });
    state = step.state;
    before = close;
  }
  return found;
}
