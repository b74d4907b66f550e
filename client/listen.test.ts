// Test: the stream as an iterator, and complete lists: reconnection, silence, refusals, cursors.
import { describe, expect, test } from 'vitest';
import { type EventEnvelope, signalEvent } from '../shared/wire/events.ts';
import { encodeComment, encodeEvent, encodeSkipped } from '../shared/wire/sse.ts';
import { createManualClock, settle } from '../test/harness/manual-clock.ts';
import { OWN_PEER } from '../test/harness/peer.ts';
import { type Client, createClient } from './client.ts';
import { connect } from './index.ts';
import { type ListenOptions, listen } from './listen.ts';
import { rowsOf } from './rows.ts';

const AT = '2026-03-02T14:30:00.000Z';
const event = (seq: number): EventEnvelope => ({
  event_id: `evt_${seq}`,
  seq,
  event: signalEvent(1),
  timestamp: AT,
  data: {
    event_id: `evt_${seq}`,
    symbol: 'SPY',
    asset_class: 'etf',
    from_state: 0,
    to_state: 1,
    state_name: 'elevated',
    regime: null,
    confidence: 20,
    note: '',
    occurred_at: AT,
    model_version: 'm',
  },
});

/** A service whose connections the test writes to, cuts and refuses. */
function rig(options: ListenOptions = {}, headers: Record<string, string> = {}, base = 'https://risk.example/') {
  const clock = createManualClock();
  const requests: { url: string; lastId: string | null }[] = [];
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  let refusal: (() => Response) | null = null;
  const client: Client = createClient({
    base: new URL(base),
    key: 'k',
    mode: 'auto',
    peer: OWN_PEER,
    clock,
    fetch: async (url, init) => {
      requests.push({ url, lastId: new Headers(init?.headers).get('last-event-id') });
      if (new URL(url).pathname === '/proof') return new Response(null, { status: 404 });
      if (refusal !== null) return refusal();
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void open.push(controller) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } });
    },
  });
  const over = new AbortController();
  const received: string[] = [];
  const problems: string[] = [];
  const beginnings: string[] = [];
  const ended = (async () => {
    const events = listen(client, clock, () => 0.5, {
      signal: over.signal,
      onConnect: (how) => beginnings.push(how),
      onProblem: ({ kind }) => problems.push(kind),
      ...options,
    });
    for await (const one of events) received.push(one.event_id);
  })();
  ended.catch(() => undefined);
  return {
    clock,
    client,
    requests,
    received,
    problems,
    beginnings,
    ended,
    over,
    async write(text: string) {
      open.at(-1)?.enqueue(new TextEncoder().encode(text));
      await settle();
    },
    async cut() {
      open.at(-1)?.close();
      await settle();
    },
    refuse: (answer: (() => Response) | null) => {
      refusal = answer;
    },
  };
}

describe('events', () => {
  test('arrive in order, also from split chunks, and continue after a cut behind the last one, also a filtered one', async () => {
    const {
      clock,
      write,
      cut,
      requests: asked,
      received,
      beginnings,
      problems,
      over,
      ended,
    } = rig({ query: { symbols: ['SPY', 'QQQ'] } });
    await settle();
    const text = `${encodeComment('connected')}${encodeEvent(event(1))}${encodeSkipped('evt_2')}${encodeEvent(event(3))}${encodeSkipped('evt_4')}`;
    for (const chunk of text.match(/[\s\S]{1,7}/g) ?? []) await write(chunk);
    expect(received).toEqual(['evt_1', 'evt_3']);
    await cut();
    await clock.advance(30_000);
    await write(encodeEvent(event(5)));
    expect(received).toEqual(['evt_1', 'evt_3', 'evt_5']);
    expect(asked).toEqual([
      { url: 'https://risk.example/stream?symbols=SPY%2CQQQ', lastId: null },
      { url: 'https://risk.example/stream?symbols=SPY%2CQQQ', lastId: 'evt_4' },
    ]);
    expect([beginnings, problems]).toEqual([['live', 'resumed'], ['network']]);
    over.abort();
    await ended;
  });

  test('an id that the service no longer keeps is reported as lost', async () => {
    const { beginnings, over, ended } = rig({ after: 'evt_0' }, { 'x-stream-resume': 'unknown-id' });
    await settle();
    expect(beginnings).toEqual(['lost']);
    over.abort();
    await ended;
  });

  test('a silent connection is abandoned; comments keep it', async () => {
    const { clock, write, requests: asked, over, ended } = rig();
    await settle();
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(15_000);
      await write(encodeComment('heartbeat'));
    }
    expect(asked).toHaveLength(1);
    await clock.advance(46_000);
    expect(asked).toHaveLength(2);
    over.abort();
    await ended;
  });

  test('a message that is no event is reported and skipped', async () => {
    const { write, received, problems, over, ended } = rig();
    await settle();
    await write(`data: {"nothing":1}\n\ndata: half{\n\n${encodeEvent(event(1))}`);
    expect([received, problems]).toEqual([['evt_1'], ['unreadable', 'unreadable']]);
    over.abort();
    await ended;
  });

  test('a message with an id that is no event is not requested again', async () => {
    const { clock, write, cut, requests: asked, over, ended } = rig();
    await settle();
    await write(`${encodeEvent(event(1))}id: evt_2\ndata: {"nothing":1}\n\n`);
    await cut();
    await clock.advance(30_000);
    expect(asked.map(({ lastId }) => lastId)).toEqual([null, 'evt_2']);
    over.abort();
    await ended;
  });

  test('a transient failure is retried after the pause the service asks for; a permanent one ends the iteration', async () => {
    const { clock, refuse, requests: asked, ended, problems } = rig();
    refuse(() =>
      Response.json(
        { code: 'temporarily_unavailable', message: 'm' },
        { status: 503, headers: { 'retry-after': '40' } },
      ),
    );
    await settle();
    // The first connection is open; its silence cuts it.
    await clock.advance(46_000);
    await clock.advance(2_000);
    const tried = asked.length;
    await clock.advance(37_000);
    expect(asked).toHaveLength(tried);
    refuse(() => Response.json({ code: 'unauthorized', message: 'revoked' }, { status: 401 }));
    await clock.advance(60_000);
    await expect(ended).rejects.toMatchObject({
      name: 'ServiceError',
      problem: { kind: 'unauthorized', message: 'revoked' },
    });
    expect(problems).toContain('unavailable');
  });
});

describe('the iteration ends', () => {
  test('with an error at once where the service does not cover the symbol', async () => {
    const { clock, cut, refuse, requests, ended } = rig({ query: { symbols: ['NOPE'] } });
    refuse(() => Response.json({ code: 'symbol_not_covered', message: 'm' }, { status: 404 }));
    await settle();
    await cut();
    await clock.advance(60_000);
    await expect(ended).rejects.toMatchObject({ problem: { kind: 'not_covered', status: 404 } });
    expect(requests).toHaveLength(2);
  });

  test('without an error after the client is closed, and nothing more is sent', async () => {
    const { clock, client, cut, requests, ended } = rig({}, {}, 'http://127.0.0.1:8787/');
    const paths = (): string[] => requests.map(({ url }) => new URL(url).pathname);
    await clock.until(() => paths().includes('/stream'));
    client.close();
    await cut();
    await clock.advance(120_000);
    await expect(ended).resolves.toBeUndefined();
    expect(paths()).toEqual(['/proof', '/stream']);
  });

  test('while it waits to reconnect, when the client of `connect` is closed', async () => {
    let sent = 0;
    const service = connect({
      baseUrl: 'https://risk.example/',
      key: 'svc_test_listen00000001',
      fetch: async () => {
        sent += 1;
        return Response.json(
          { code: 'maintenance', message: 'm' },
          { status: 503, headers: { 'retry-after': '3600' } },
        );
      },
    });
    const events = service.events({ onProblem: () => service.close() });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(await service.events().next()).toEqual({ done: true, value: undefined });
    expect(sent).toBe(1);
  });
});

describe('lists', () => {
  const signal = (symbol: string) => ({
    symbol,
    timestamp: AT,
    state: 0,
    state_name: 'normal',
    confidence: 93,
    regime: null,
    price: 1,
  });
  const clientFor = (pages: (after: string | null) => unknown) => {
    const requestedCursors: string[] = [];
    const client = createClient({
      base: new URL('https://risk.example/'),
      key: 'k',
      mode: 'auto',
      peer: OWN_PEER,
      clock: createManualClock(),
      fetch: async (url) => {
        requestedCursors.push(new URL(url).search);
        return Response.json(pages(new URL(url).searchParams.get('after')));
      },
    });
    return { client, requestedCursors };
  };
  const rows = async (client: Client): Promise<string[]> => {
    const found: string[] = [];
    for await (const row of rowsOf(client, 'history', { query: { symbol: 'SPY' } })) found.push(row.symbol);
    return found;
  };

  test('are read page after page to their end, with the filters', async () => {
    const { client, requestedCursors: asked } = clientFor((after) =>
      after === null
        ? { data: [signal('A'), signal('B')], has_more: true, next_cursor: 'c1' }
        : { data: [signal('C')], has_more: false, next_cursor: null },
    );
    expect(await rows(client)).toEqual(['A', 'B', 'C']);
    expect(asked).toEqual(['?limit=100&symbol=SPY', '?limit=100&symbol=SPY&after=c1']);
  });
  test('a repeated cursor is an error, not an endless list', async () => {
    const { client, requestedCursors: asked } = clientFor(() => ({
      data: [signal('A')],
      has_more: true,
      next_cursor: 'c1',
    }));
    await expect(rows(client)).rejects.toMatchObject({
      problem: { kind: 'unreadable', message: expect.stringContaining('twice') },
    });
    expect(asked).toHaveLength(2);
  });
  test('an invalid row names the wrong field', async () => {
    const { client } = clientFor(() => ({
      data: [{ ...signal('A'), state: 'calm' }],
      has_more: false,
      next_cursor: null,
    }));
    await expect(rows(client)).rejects.toMatchObject({ problem: { message: expect.stringContaining('data.0.state') } });
  });
});
