// Faults: the monitor against a foreign service, written from the specification with other choices.
// Either every event is notified within a stated time, or the window says that events may be missing.
import { describe, expect, test } from 'vitest';
import type { StateMap } from '../../shared/settings/state-map.ts';
import { connectionOf, namedIds, setUpCoreBench } from '../harness/core-bench.ts';
import type { CoreRig } from '../harness/core-rig.ts';
import {
  createForeignService,
  type ForeignAnswer,
  type ForeignChoices,
  type ForeignEvent,
  type ForeignService,
} from '../harness/foreign-service.ts';
import { WIRE_SYMBOLS } from '../harness/wire-service.ts';
import { createChance } from './core-simulation-random.ts';
import { FIRST_SEED, sampleOf } from './simulation-budget.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;

interface Watching {
  readonly service: ForeignService;
  readonly rig: CoreRig;
}

/** A core that watches a service with these choices, and has read what was entered `before`. */
async function watch(
  choices: Partial<ForeignChoices> = {},
  before: (service: ForeignService) => void = () => undefined,
  states: StateMap | undefined = undefined,
): Promise<Watching> {
  const service = createForeignService(bench.clock, WIRE_SYMBOLS, choices);
  before(service);
  const profile = { baseUrl: service.url, ...(states === undefined ? {} : { states }) };
  const rig = bench.rig({ service, profile, folder: `${bench.folder}-${Math.random()}` });
  await rig.core.start();
  // It cannot prove what it is: the user says once that it may have the key.
  rig.core.handlers['connection.trust']({});
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(2_000);
  return { service, rig };
}

/** What the desktop was told of these symbols: "SPY High Risk", in order, alone or in a digest. */
const alerts = (rig: CoreRig): string[] =>
  rig.shown.filter(({ id }) => !id.startsWith('barograph:outage:')).map(({ title }) => title);
/** How many alerts the desktop was told of, once for each notification that names them. */
const countOf = (rig: CoreRig): number => namedIds(rig).filter((id) => !id.startsWith('barograph:outage:')).length;
/** True when the window shows that events may be missing. */
const isSaid = (rig: CoreRig): boolean => connectionOf(rig).outage !== null;
const statesOf = (rig: CoreRig): string =>
  rig
    .snapshot()
    .rows.map(({ symbol, signal }) => `${symbol} ${signal?.state ?? '-'}`)
    .join(', ');

const PAGE = '<!doctype html><html><body>Sign in</body></html>';
const said =
  (status: number, type = 'application/json', body = '{"code":"no","message":"No."}') =>
  () =>
    new Response(status === 204 ? null : body, { status, headers: { 'content-type': type } });
/** A body that never ends, of any content type. */
const endless = (type: string) => () =>
  new Response(new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) }), {
    headers: { 'content-type': type },
  });

const ANSWERS: readonly [string, () => ForeignAnswer][] = [
  ...[400, 401, 403, 404, 405, 429, 500, 503].map((status): [string, () => ForeignAnswer] => [
    String(status),
    said(status),
  ]),
  ['204', said(204)],
  ['a redirect elsewhere', () => new Response(null, { status: 302, headers: { location: 'https://other.example/' } })],
  ['a page with 200', said(200, 'text/html', PAGE)],
  ['a page with 502', said(502, 'text/html', PAGE)],
  ['JSON of something else', said(200, 'application/json', '{"hello":"world"}')],
  ['a list of something else', said(200, 'application/json', '[{"a":1},{"b":2}]')],
  ['an empty list', said(200, 'application/json', '[]')],
  ['null', said(200, 'application/json', 'null')],
  ['half of its JSON', said(200, 'application/json', '{"items":[{"symb')],
  ['text without end', endless('text/plain')],
  ['JSON without end', endless('application/json')],
  ['silence', () => 'silence'],
];

/** A poll in the sandbox is due every five seconds; a silent endpoint takes ten seconds and two readings. */
const WITHIN = 90_000;

const PATHS = ['/events', '/stream', '/alert-transitions', '/snapshot', '/health'];
describe.each(PATHS)('%s answers', (path) => {
  test.each(sampleOf(ANSWERS, PATHS.indexOf(path)))(
    '%s: all arrives, or the window says that it may not',
    async (_, answer) => {
      const { service, rig } = await watch({ hasEvents: path === '/alert-transitions' });
      service.fault = (request) => (request.path === path ? answer() : null);
      service.cut();
      await bench.clock.advance(MINUTE);
      service.isDeaf = path !== '/stream' && path !== '/alert-transitions';
      service.enter('SPY', 2);
      service.isDeaf = false;
      service.enter('QQQ', 2);
      await bench.clock.advance(WITHIN);
      if (countOf(rig) < 2) expect(isSaid(rig)).toBe(true);
      expect(countOf(rig)).toBeLessThanOrEqual(2);
      service.fault = () => null;
      rig.core.handlers['connection.retry']({});
      await bench.clock.advance(2 * MINUTE);
      expect(countOf(rig)).toBe(2);
      expect(connectionOf(rig)).toMatchObject({ outage: null, refused: null });
      expect(rig.logged.filter(({ message }) => message === 'a job failed')).toEqual([]);
    },
  );
});

/** An empty list is an answer: it cannot be told from the truth. */
const WRONG_ANSWERS = ANSWERS.filter(([what]) => what !== 'an empty list');
test.each(WRONG_ANSWERS)(
  'a stream that misses an event, and %s from /alert-transitions: it is said',
  async (_, answer) => {
    const { service, rig } = await watch();
    service.fault = ({ path }) => (path === '/alert-transitions' ? answer() : null);
    service.isDeaf = true;
    service.enter('SPY', 2);
    service.isDeaf = false;
    service.cut();
    await bench.clock.advance(20_000);
    expect(rig.snapshot().gaps.some(({ closed }) => !closed)).toBe(true);
    await bench.clock.advance(6 * MINUTE);
    expect([countOf(rig), isSaid(rig)]).toEqual([0, true]);
    service.fault = () => null;
    await bench.clock.advance(3 * MINUTE);
    expect([countOf(rig), isSaid(rig)]).toEqual([1, false]);
    expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);
  },
);

describe('the stream is refused, and everything else answers', () => {
  test.each([
    ['403', said(403)],
    ['402', said(402)],
    ['401', said(401)],
    ['204', said(204)],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://other.example/' } })],
    ['a page', said(200, 'text/html', PAGE)],
    ['text without end', endless('text/plain')],
  ])('%s: events are polled without an outage, and the stream is tried again', async (_, answer) => {
    const { service, rig } = await watch();
    service.fault = ({ path }) => (path === '/stream' ? answer() : null);
    service.cut();
    const event = service.enter('SPY', 2);
    await bench.clock.advance(10_000);
    expect(alerts(rig)).toEqual(['[SANDBOX] SPY is High Risk']);
    expect(connectionOf(rig)).toMatchObject({ outage: null, indicators: { open: { state: 'down' } } });
    // Later ones too, also while the attempts are minutes apart; and the rows stay fresh.
    await bench.clock.advance(20 * MINUTE);
    service.enter('QQQ', 2);
    await bench.clock.advance(10_000);
    expect(countOf(rig)).toBe(2);
    expect(statesOf(rig)).toMatch(/SPY 2, QQQ 2/);
    expect(connectionOf(rig)).toMatchObject({ outage: null, indicators: { fresh: { state: 'ok' } } });
    expect(service.streams()).toBe(0);
    service.fault = () => null;
    await bench.clock.advance(8 * MINUTE);
    expect(connectionOf(rig)).toMatchObject({ refused: null, indicators: { open: { state: 'ok' } } });
    expect(countOf(rig)).toBe(2);
    expect(event.number).toBe(1);
  });

  test('a key that is refused everywhere is not sent often: at most nine times in ten minutes', async () => {
    const { service, rig } = await watch();
    service.fault = ({ path }) => (path === '/' ? null : said(401)());
    service.cut();
    const before = service.requests.length;
    await bench.clock.advance(10 * MINUTE);
    const isSent = (headers: Headers): boolean => headers.has('x-api-key') || headers.has('authorization');
    const keys = service.requests.slice(before).filter(({ headers }) => isSent(headers));
    expect(keys.length).toBeLessThanOrEqual(9);
    expect(isSaid(rig)).toBe(true);
  });

  test('a stream of another type is left: no connection stays open', async () => {
    const { service } = await watch();
    let open = 0;
    service.fault = ({ path }) => {
      if (path !== '/stream') return null;
      open += 1;
      const cancel = (): void => {
        open -= 1;
      };
      return new Response(new ReadableStream<Uint8Array>({ cancel }), { headers: { 'content-type': 'text/plain' } });
    };
    service.cut();
    await bench.clock.advance(5 * MINUTE);
    expect(open).toBeLessThanOrEqual(1);
  });
});

describe('filters', () => {
  test.each(['limit', 'from', 'symbols', 'events'])(
    'a service that refuses "%s" is asked once more without',
    async (name) => {
      const { service, rig } = await watch({ refuses: [name] });
      service.isDeaf = name !== 'events';
      service.enter('SPY', 2);
      await bench.clock.advance(40_000);
      expect(alerts(rig)).toEqual(['[SANDBOX] SPY is High Risk']);
      expect(statesOf(rig)).toMatch(/SPY 2, QQQ 0/);
      expect(connectionOf(rig)).toMatchObject({ outage: null, refused: null });
      // It is remembered: the filter is not sent again.
      const before = service.requests.length;
      await bench.clock.advance(MINUTE);
      expect(service.requests.slice(before).filter(({ query }) => query.has(name))).toEqual([]);
    },
  );
});

describe('the anchor', () => {
  const HALF_AN_HOUR = 30 * MINUTE;
  test.each<[string, Partial<ForeignChoices>]>([
    ['oldest first', { order: 'oldest' }],
    ['newest first, without ids', { ids: 'none' }],
  ])('an event dated half an hour ahead hides nothing of an outage: %s', async (_, choices) => {
    const { service, rig } = await watch(choices);
    service.enter('XLK', 1, bench.clock.now() + HALF_AN_HOUR);
    await bench.clock.advance(MINUTE);
    const missed: ForeignEvent[] = [];
    for (const wait of [5, 20]) {
      service.fault = () => new Response('', { status: 503 });
      service.cut();
      await bench.clock.advance(wait * MINUTE);
      missed.push(service.enter('SPY', 2), service.enter('SPY', 0));
      await bench.clock.advance(wait * MINUTE);
      service.fault = () => null;
      await bench.clock.advance(2 * MINUTE);
    }
    expect(missed).toHaveLength(4);
    expect(countOf(rig)).toBe(2);
    expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);
  });

  test('an empty event log proves nothing where transitions are listed', async () => {
    const { service, rig } = await watch();
    service.fault = ({ path }) => (path === '/events' ? said(200, 'application/json', '[]')() : null);
    service.isDeaf = true;
    service.enter('SPY', 2);
    await bench.clock.advance(40_000);
    expect(alerts(rig)).toEqual(['[SANDBOX] SPY is High Risk']);
    expect(connectionOf(rig).provable).toBe(false);
  });
});

/** Every choice by chance: each alone is legal, and so are all of them together. */
function mixOf(seed: number): Partial<ForeignChoices> {
  const { pick, chance } = createChance(seed);
  const one = <Choice>(...of: [Choice, ...Choice[]]): Choice => pick(of);
  return {
    ids: one('none', 'text', 'number'),
    time: one('occurred_at', 'timestamp', 'time', 'at', null),
    states: one<ForeignChoices['states']>(
      [0, 1, 2],
      ['normal', 'elevated', 'high_risk'],
      ['Normal', 'Elevated', 'High Risk'],
    ),
    hasPrice: one(true, false),
    hasEvents: one(true, false),
    items: one('items', 'data', 'results', null),
    pageSize: one(1, 2, 50),
    heeds: (['from', 'symbols', 'limit'] as const).filter(() => chance(0.5)),
    order: one('newest', 'oldest'),
    cursor: one('ends', 'ends', 'repeats'),
    unknownCursor: one('ignored', 'refused', 'empty'),
    frame: one('envelope', 'bare', 'created'),
    lines: one('few', 'indented', 'listed'),
    idIn: one('both', 'frame', 'body'),
    hasEventLine: one(true, false),
    around: one('nothing', 'object', 'errors'),
    rows: one('flat', 'nested'),
    instants: one('Z', 'seconds', 'offset'),
    lastPage: one('null', 'empty', 'silent'),
    auth: one('X-API-Key', 'Bearer'),
    snapshot: one('list', 'map'),
    beat: one('comment', 'ping', 'none'),
    health: one('OK', '{"hello":"world"}', '"alive"'),
  };
}
const MIXES = Array.from({ length: Number(process.env.BAROGRAPH_TEST_MIXES ?? 10) }, (_, index) => FIRST_SEED + index);

describe('the least that the specification asks for', () => {
  const CHOICES: readonly [string, Partial<ForeignChoices>][] = [
    ['nothing but the signal', { ids: 'none', time: null }],
    ['ids alone', { time: null }],
    ['numeric ids', { ids: 'number' }],
    ['numeric ids, no time', { ids: 'number', time: null, order: 'oldest' }],
    ['time', { time: 'time' }],
    ['at', { time: 'at', ids: 'none' }],
    ['prices', { hasPrice: true }],
    ['bare frames', { frame: 'bare', ids: 'none', time: 'at' }],
    ['bare frames, nothing else', { frame: 'bare', ids: 'none', time: null }],
    ['signal.created', { frame: 'created' }],
    ['pings', { beat: 'ping' }],
    ['no heartbeat', { beat: 'none' }],
    ['bare lists', { items: null }],
    ['pages of one', { pageSize: 1, heeds: ['from', 'symbols'] }],
    ['nothing heeded', { heeds: [], pageSize: 2 }],
    ['nothing heeded, oldest first', { heeds: [], pageSize: 2, order: 'oldest' }],
    ['a repeated cursor', { cursor: 'repeats', pageSize: 2, heeds: [] }],
    ['a repeated cursor, oldest first', { cursor: 'repeats', pageSize: 2, heeds: [], order: 'oldest' }],
    ['its own event log', { hasEvents: true, ids: 'number', time: 'time' }],
    ['its own event log, without ids', { hasEvents: true, ids: 'none', time: 'time' }],
    ['its own event log, whose cursors are no ids', { hasEvents: true, unknownCursor: 'empty' }],
    ['its own event log, which refuses ids as cursors', { hasEvents: true, unknownCursor: 'refused', pageSize: 2 }],
    ['its own event log, with a repeated cursor', { hasEvents: true, cursor: 'repeats', pageSize: 2, heeds: [] }],
    ['other words for its health', { health: 'OK' }],
    ['words for its states', { states: ['Normal', 'ELEVATED', 'High-Risk'] }],
    ['frames of several lines', { lines: 'indented' }],
    ['an event as a list of one', { lines: 'listed' }],
    ['the id in the frame alone', { idIn: 'frame' }],
    ['the id in the body alone', { idIn: 'body' }],
    ['whole seconds', { instants: 'seconds' }],
    ['the time of a zone', { instants: 'offset' }],
    ['an empty cursor at the end', { lastPage: 'empty', pageSize: 2, heeds: [] }],
    ['a last page that says nothing', { lastPage: 'silent', pageSize: 2, heeds: [] }],
    ['a bearer token', { auth: 'Bearer' }],
    ['signals by symbol', { snapshot: 'map' }],
    ['frames without a name', { hasEventLine: false }],
    ['bare frames without a name', { hasEventLine: false, frame: 'bare' }],
    ['lists within an object', { around: 'object', pageSize: 2, heeds: [] }],
    ['errors beside a list', { around: 'errors', items: 'alert_transitions' }],
    ['rows with the signal in an object of their own', { rows: 'nested' }],
  ];
  const mixes = MIXES.map((seed): [string, Partial<ForeignChoices>] => [`mix ${seed}`, mixOf(seed)]);

  test.each([...sampleOf(CHOICES), ...mixes])(
    '%s: the past is no news, each event is notified once, and no state is wrong',
    async (_, choices) => {
      const { service, rig } = await watch(choices, (past) => {
        past.enter('SPY', 2, bench.clock.now() - 5 * 3_600_000);
        past.enter('AAPL', 2, bench.clock.now() - 5 * 3_600_000);
        past.enter('AAPL', 0, bench.clock.now() - 4 * 3_600_000);
      });
      await bench.clock.advance(20_000);
      expect(alerts(rig)).toEqual([]);
      expect(statesOf(rig)).toMatch(/SPY 2, QQQ 0, IWM 0/);
      service.enter('QQQ', 2);
      await bench.clock.advance(10_000);
      expect(alerts(rig)).toEqual(['[SANDBOX] QQQ is High Risk']);
      // The stream misses one, and is read again.
      service.isDeaf = true;
      service.enter('IWM', 2);
      service.isDeaf = false;
      service.cut();
      await bench.clock.advance(2 * MINUTE);
      expect(countOf(rig)).toBe(2);
      expect(statesOf(rig)).toMatch(/SPY 2, QQQ 2, IWM 2/);
      const { ledger } = rig.snapshot();
      expect(ledger.events).toBe(5);
      expect(connectionOf(rig)).toMatchObject({ outage: null, refused: null, indicators: { fresh: { state: 'ok' } } });
      // A quiet service is asked as often as it must be, and not for its whole past each time.
      const before = service.requests.length;
      await bench.clock.advance(5 * MINUTE);
      expect(service.requests.length - before).toBeLessThan(600);
    },
  );

  test.each<[string, Partial<ForeignChoices>, StateMap]>([
    ['1 is High Risk', { states: [0, 3, 1] }, { 1: 'high_risk', 3: 'elevated' }],
    ['1 is High Risk, in bare frames', { states: [0, 3, 1], frame: 'bare' }, { 1: 'high_risk', 3: 'elevated' }],
    [
      'words',
      { states: ['green', 'amber', 'code red'] },
      { GREEN: 'normal', amber: 'elevated', 'code-red': 'high_risk' },
    ],
    ['signs', { states: [1, 0, -1], hasEvents: true }, { 1: 'normal', 0: 'elevated', '-1': 'high_risk' }],
  ])('states by the map of the profile: %s', async (_, choices, states) => {
    const past = (service: ForeignService) => service.enter('SPY', 2, bench.clock.now() - 5 * 3_600_000);
    const { service, rig } = await watch({ frame: 'created', ...choices }, past, states);
    expect(statesOf(rig)).toMatch(/SPY 2, QQQ 0, IWM 0/);
    service.enter('QQQ', 2);
    service.enter('IWM', 1);
    await bench.clock.advance(10_000);
    expect(alerts(rig)).toEqual(['[SANDBOX] QQQ is High Risk']);
    // A list brings what the stream misses.
    service.isDeaf = true;
    service.enter('AAPL', 2);
    service.enter('SPY', 0);
    service.isDeaf = false;
    service.cut();
    await bench.clock.advance(2 * MINUTE);
    expect(countOf(rig)).toBe(2);
    expect(statesOf(rig)).toMatch(/SPY 0, QQQ 2, IWM 1.*AAPL 2/);
    const events = rig.snapshot().alerts.map(({ transition }) => `${transition.symbol} ${transition.to_state}`);
    expect(events).toEqual(expect.arrayContaining(['QQQ 2', 'AAPL 2']));
  });

  test('events of one second keep the order of the service', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const { service, rig } = await watch({ order });
      service.isDeaf = true;
      for (const state of [2, 0, 2] as const) service.enter('SPY', state, bench.clock.now());
      await bench.clock.advance(40_000);
      expect(rig.snapshot().alerts.map(({ transition }) => transition.to_state)).toEqual([2, 0, 2]);
      expect(rig.snapshot().alerts[0]?.transition.event_id).toBe('x-3');
    }
  });

  test('a list of six thousand rows that ignores everything is not read again and again', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const { service } = await watch({ heeds: [], order }, (past) => {
        for (let hour = 6_000; hour > 0; hour -= 1)
          past.enter('XLK', hour % 2 === 0 ? 1 : 0, bench.clock.now() - hour * 3_600_000);
      });
      await bench.clock.advance(30_000);
      const before = service.requests.length;
      await bench.clock.advance(5 * MINUTE);
      const read = service.requests.slice(before).filter(({ path }) => path === '/alert-transitions');
      expect(read.length).toBeLessThan(60);
    }
  });
});
