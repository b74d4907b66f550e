// Client: methods instead of names, GETs that are made again, and words that a newer service adds.
import { expect, test } from 'vitest';
import { routes } from '../shared/wire/routes.ts';
import { type ConnectOptions, connect, ServiceError } from './index.ts';

const SIGNAL = {
  symbol: 'SPY',
  name: 'SPDR S&P 500',
  asset_class: 'etf',
  state: 2,
  state_name: 'high_risk',
  regime: null,
  confidence: null,
  price: null,
  change_pct: null,
  base_rate: null,
  note: 'n',
  since: '2026-03-02T14:30:00.000Z',
  model_version: 'm',
  decided_at: '2026-03-02T14:30:00.000Z',
  next_decision_at: '2026-03-02T14:35:00.000Z',
  updated_at: '2026-03-02T14:30:00.000Z',
};

/** A client of a service that gives these answers, the last one again and again. */
function withAnswers(answers: readonly (() => Response)[], options: Partial<ConnectOptions> = {}) {
  const sent: { method: string; url: string; body: unknown; agent: string | null }[] = [];
  const waits: number[] = [];
  const service = connect({
    baseUrl: 'https://risk.example/v1',
    key: 'k',
    fetch: async (url, init) => {
      const agent = new Headers(init?.headers).get('user-agent');
      sent.push({ method: init?.method ?? 'GET', url, body: init?.body ?? null, agent });
      return (answers[Math.min(sent.length, answers.length) - 1] ?? Response.error)();
    },
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  return { service, sent, waits };
}
const busy = () => new Response('', { status: 503 });
const answering = (body: unknown) => () => Response.json(body);

test('a method takes the parameters of path, query and body together, and resolves to what is answered', async () => {
  const { service, sent } = withAnswers([answering(SIGNAL), answering({ id: 'a/b', deleted: true }), busy]);
  expect(await service.signal({ symbol: 'SPY' })).toMatchObject({ state_name: 'high_risk' });
  expect(await service.deleteSubscription({ id: 'a/b' })).toEqual({ id: 'a/b', deleted: true });
  await expect(service.setHardCap({ hard_cap: true })).rejects.toBeInstanceOf(ServiceError);
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', 'https://risk.example/v1/signal?symbol=SPY', null],
    ['DELETE', 'https://risk.example/v1/signals/subscriptions/a%2Fb', null],
    ['POST', 'https://risk.example/v1/account/hard-cap', '{"hard_cap":true}'],
  ]);
});

test('every route but the stream has a method, and no route has a name in two of its parts', () => {
  const { service } = withAnswers([busy]);
  for (const [name, route] of Object.entries(routes)) {
    if (route.content === 'json') expect(service, name).toHaveProperty(name === 'events' ? 'eventLog' : name);
    const hasQuery = 'shape' in route.query && Object.keys(route.query.shape).length > 0;
    expect(hasQuery && route.body !== null, name).toBe(false);
  }
});

test('a list goes on from page to page', async () => {
  const page = (symbol: string, next: string | null) =>
    answering({ data: [{ ...SIGNAL, symbol }], has_more: next !== null, next_cursor: next });
  const { service } = withAnswers([page('SPY', 'c'), page('QQQ', null)]);
  const symbols: string[] = [];
  for await (const { symbol } of service.snapshot()) symbols.push(symbol);
  expect(symbols).toEqual(['SPY', 'QQQ']);
});

test.each([
  ['503 twice, then an answer', [busy, busy, answering(SIGNAL)], {}, 3, [250, 500]],
  ['a short Retry-After', [refusal(429, '0'), answering(SIGNAL)], {}, 2, [250]],
  ['a long Retry-After', [refusal(429, '30')], {}, 1, []],
  ['a fault of the service', [refusal(500)], {}, 1, []],
  ['a refusal', [refusal(403)], {}, 1, []],
  ['503, and no retries', [busy], { retries: 0 }, 1, []],
])('%s: a GET is made again only where that may help', async (_, answers, options, calls, waited) => {
  const { service, sent, waits } = withAnswers(answers, options);
  await service.signal({ symbol: 'SPY' }).catch(() => undefined);
  expect([sent.length, waits]).toEqual([calls, waited]);
});

function refusal(status: number, wait?: string): () => Response {
  return () => new Response('', { status, headers: wait === undefined ? {} : { 'retry-after': wait } });
}

test('a POST is never sent twice', async () => {
  const { service, sent } = withAnswers([busy]);
  await service.trigger({ event: 'signal.normal', symbol: 'SPY' }).catch(() => undefined);
  expect(sent).toHaveLength(1);
});

test('words, states and times that are not known are kept as they came', async () => {
  const newer = { ...SIGNAL, state: 3, state_name: 'extreme', since: 'soon' };
  const { service } = withAnswers([answering(newer), answering({ ...newer, state: null })]);
  expect(await service.signal({ symbol: 'SPY' })).toMatchObject({ state: 3, state_name: 'extreme', since: 'soon' });
  await expect(service.signal({ symbol: 'SPY' })).rejects.toThrow('state');
});

test('an event of a new name is an event', async () => {
  const event = { event_id: 'e1', seq: 1, event: 'signal.extreme', timestamp: SIGNAL.since, data: { symbol: 'SPY' } };
  const { service } = withAnswers([() => new Response(`data: ${JSON.stringify(event)}\n\n`)]);
  expect((await service.events().next()).value).toEqual(event);
});

test('requests name the program and the client', async () => {
  const { service, sent } = withAnswers([answering(SIGNAL)], { userAgent: 'desk/1.4' });
  await service.signal({ symbol: 'SPY' });
  expect(sent[0]?.agent).toMatch(/^desk\/1\.4 barograph-typescript\/0\.1\.0$/);
});
