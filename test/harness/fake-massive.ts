// Test harness: a vendor that answers as Massive does: days of market and symbol, splits, dividends, clock.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { instantIn, newYorkDate } from '../../shared/domain/sessions.ts';

export const MASSIVE_KEY = 'massivefakekey0001';

export interface FakeMassive {
  readonly url: string;
  /** Closes by date and ticker, oldest first. */
  readonly days: Map<string, Map<string, number>>;
  readonly splits: { ticker: string; execution_date: string; split_from: number; split_to: number }[];
  readonly dividends: { ticker: string; ex_dividend_date: string; cash_amount: number; currency: string }[];
  readonly requests: string[];
  /** The first date of the plan. */
  planFrom: string;
  now: number;
  /** Rows of one answer of dividends, and of days. */
  pageSize: number;
  /** The next answers, in place of the right ones. */
  readonly faults: { readonly status: number; readonly body?: string; readonly type?: string }[];
  close(): Promise<void>;
}

export async function startFakeMassive(now: number): Promise<FakeMassive> {
  const server = Fastify();
  const fake: FakeMassive = {
    ...{
      url: '',
      days: new Map(),
      splits: [],
      dividends: [],
      requests: [],
      planFrom: '2000-01-01',
      now,
      pageSize: 50_000,
      faults: [],
    },
    close: () => server.close(),
  };
  const rowOf = (close: number) => ({ o: close, h: close + 1, l: close - 1, c: close, v: 1_000, n: 5, vw: close });
  server.addHook('onRequest', async (request, reply) => {
    fake.requests.push(request.url);
    const fault = fake.faults.shift();
    if (fault !== undefined)
      return reply
        .code(fault.status)
        .type(fault.type ?? 'application/json')
        .send(fault.body ?? '{"status":"ERROR"}');
    if (request.headers.authorization !== `Bearer ${MASSIVE_KEY}`)
      return reply.code(401).send({ status: 'ERROR', error: 'Unknown API Key' });
    return undefined;
  });
  const notAuthorized = { status: 'NOT_AUTHORIZED', message: 'Your plan does not include this data timeframe.' };
  server.get('/v1/marketstatus/now', () => ({
    market: 'closed',
    serverTime: new Date(fake.now).toISOString(),
    afterHours: false,
    earlyHours: false,
  }));
  server.get<{ Params: { date: string } }>(
    '/v2/aggs/grouped/locale/us/market/stocks/:date',
    ({ params, query }, reply) => {
      const { date } = params;
      if ((query as { adjusted?: string }).adjusted !== 'false') return reply.code(400).send({ status: 'ERROR' });
      if (date < fake.planFrom || date >= newYorkDate(fake.now)) return reply.code(403).send(notAuthorized);
      const results = [...(fake.days.get(date) ?? [])].map(([T, close]) => ({
        T,
        t: Date.parse(date),
        ...rowOf(close),
      }));
      return {
        status: 'OK',
        adjusted: false,
        queryCount: results.length,
        resultsCount: results.length,
        request_id: 'r',
        ...(results.length === 0 ? {} : { results }),
      };
    },
  );
  server.get<{ Params: { ticker: string; from: string; to: string }; Querystring: { cursor?: string } }>(
    '/v2/aggs/ticker/:ticker/range/1/day/:from/:to',
    ({ params: { ticker, from, to }, query: { cursor = '0' } }, reply) => {
      if (from < fake.planFrom) return reply.code(403).send(notAuthorized);
      const all = [...fake.days].flatMap(([date, closes]) => {
        const close = closes.get(ticker);
        return close === undefined || date < from || date > to ? [] : [{ t: startOf(date), ...rowOf(close) }];
      });
      const first = Number(cursor);
      const results = all.slice(first, first + fake.pageSize);
      const more = first + fake.pageSize < all.length;
      const next_url = `https://api.massive.com/v2/aggs/ticker/${ticker}/range/1/day/${from}/${to}?cursor=${first + fake.pageSize}`;
      return {
        status: 'OK',
        ticker,
        adjusted: false,
        queryCount: 1,
        resultsCount: results.length,
        request_id: 'r',
        results,
        ...(more ? { next_url } : {}),
      };
    },
  );
  server.get('/stocks/v1/splits', ({ query }) => {
    const { 'execution_date.gte': from = '', 'execution_date.lte': to = '' } = query as Record<string, string>;
    const results = fake.splits.filter(({ execution_date: date }) => date >= from && date <= to);
    return { status: 'OK', request_id: 'r', results };
  });
  server.get('/stocks/v1/dividends', ({ query }) => {
    const asked = query as Record<string, string>;
    const { 'ex_dividend_date.gte': from = '', 'ex_dividend_date.lte': to = '', 'ticker.any_of': tickers = '' } = asked;
    const all = fake.dividends.filter(
      ({ ticker, ex_dividend_date: date }) => tickers.split(',').includes(ticker) && date >= from && date <= to,
    );
    const first = Number(asked.cursor ?? 0);
    const next = String(first + fake.pageSize);
    const next_url = `https://api.massive.com/stocks/v1/dividends?${new URLSearchParams({ ...asked, cursor: next })}`;
    const hasMore = first + fake.pageSize < all.length;
    const results = all.slice(first, first + fake.pageSize);
    return { status: 'OK', request_id: 'r', results, ...(hasMore ? { next_url } : {}) };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` });
}

/** As the vendor stamps days: midnight in New York. */
function startOf(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return instantIn('America/New_York', year, month, day, 0);
}
