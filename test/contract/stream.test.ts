// Contract: GET /stream over a real socket: form, filters, resuming, limits, slow readers, end.
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EventEnvelopeSchema } from '../../shared/wire/events.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../harness/sandbox.ts';

let sandbox: Sandbox;
let port = 0;
beforeAll(async () => {
  sandbox = await startSandbox({ symbols: 2 });
  await sandbox.service.app.listen({ host: '127.0.0.1', port: 0 });
  const address = sandbox.service.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => sandbox.service.close());

interface StreamReader {
  readonly status: number;
  readonly headers: Headers;
  /** Resolves when what has come satisfies the condition; fails when the stream ends before. */
  until(condition: (text: string) => boolean): Promise<string>;
  /** Resolves with everything when the stream ends. */
  readonly ended: Promise<string>;
  text(): string;
  cancel(): void;
}

const open: StreamReader[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) one.cancel();
  await until(() => sandbox.service.readings().streams === 0);
});

/** Until the condition holds; the sockets have their turns meanwhile. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function listen(query = '', headers: Record<string, string> = {}): Promise<StreamReader> {
  const abort = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/stream${query}`, {
    headers: { 'x-api-key': SANDBOX_KEY, ...headers },
    signal: abort.signal,
  });
  let text = '';
  let over = false;
  let notify: () => void = () => undefined;
  const ended = (async () => {
    const decoder = new TextDecoder();
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
        notify();
      }
    } catch {
      // Cancelled by the test.
    }
    over = true;
    notify();
    return text;
  })();
  const listening: StreamReader = {
    status: answer.status,
    headers: answer.headers,
    ended,
    text: () => text,
    cancel: () => abort.abort(),
    async until(condition) {
      while (!condition(text)) {
        if (over) throw new Error(`the stream ended with ${JSON.stringify(text)}`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      return text;
    },
  };
  open.push(listening);
  return listening;
}

const ids = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? '');
const eventNames = (text: string): string[] => [...text.matchAll(/^event: (.*)$/gm)].map((match) => match[1] ?? '');
const trigger = async (event: string, symbol?: string): Promise<{ event_id: string; seq: number }[]> =>
  (await sandbox.trigger(event, symbol)).body.data;

describe('form', () => {
  test('a comment and retry at once, then frames of id, event and data on one line', async () => {
    const stream = await listen();
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('x-service-version')).toBe('v1');
    expect(stream.headers.get('x-request-id')).toMatch(/^req_/);
    expect(stream.headers.get('x-stream-resume')).toBeNull();
    const [event] = await trigger('regime.flip', 'SPY');
    const text = await stream.until((soFar) => soFar.includes('data:'));
    expect(text).toMatch(/^: connected\n\nretry: 3000\n\nid: evt_\w+\nevent: regime\.flip\ndata: \{[^\n]*\}\n\n$/);
    expect(EventEnvelopeSchema.parse(JSON.parse(text.split('data: ')[1] ?? ''))).toEqual(event);
  });

  test('a comment every fifteen seconds of wall time', async () => {
    const stream = await listen();
    await sandbox.clock.advance(15_000);
    await stream.until((text) => text.split(': heartbeat').length === 2);
    await sandbox.clock.advance(30_000);
    await stream.until((text) => text.split(': heartbeat').length === 4);
  });
});

describe('filters', () => {
  test('what a filter leaves out comes as its id alone, so that the reader can resume behind it', async () => {
    const stream = await listen('?symbols=QQQ&severity=high_risk');
    const [first] = await trigger('signal.high_risk', 'SPY');
    await trigger('signal.normal', 'QQQ');
    await trigger('signal.high_risk', 'QQQ');
    await trigger('briefing.published');
    // With the briefings about the alerts.
    const written = [first, ...(await sandbox.get(`/events?after=${first?.event_id}`)).body.data];
    const text = await stream.until((soFar) => ids(soFar).length >= written.length);
    expect(ids(text)).toEqual(written.map((event) => event?.event_id));
    expect(eventNames(text)).toEqual(['signal.high_risk']);
    expect(text).toContain('"symbol":"QQQ"');
  });

  test('without events= briefings and model versions are left out; with it they come', async () => {
    const plain = await listen();
    const filtered = await listen('?events=briefing.published,model.version');
    await trigger('signal.elevated', 'SPY');
    await trigger('briefing.published');
    await trigger('model.version');
    expect(eventNames(await plain.until((text) => ids(text).length >= 3))).not.toContain('briefing.published');
    expect(eventNames(await filtered.until((text) => ids(text).length >= 3))).toEqual([
      'briefing.published',
      'model.version',
    ]);
  });

  test('regime= passes signals in the regime, and flips into it or out of it', async () => {
    const flip = (await sandbox.trigger('regime.flip', 'SPY')).body.data[0].data;
    const [into, back] = [await listen(`?regime=${flip.to_regime}`), await listen(`?regime=${flip.from_regime}`)];
    await trigger('signal.elevated', 'SPY');
    await trigger('regime.flip', 'SPY');
    expect(eventNames(await into.until((text) => eventNames(text).includes('regime.flip')))).toEqual(
      expect.arrayContaining(['signal.elevated', 'regime.flip']),
    );
    expect(eventNames(await back.until((text) => ids(text).length >= 2))).toEqual([]);
  });

  test('signal.created obeys every filter, as the signal of its state, symbol and regime', async () => {
    const { state_name, regime } = (await sandbox.get('/signal?symbol=SPY')).body;
    const other = state_name === 'normal' ? 'elevated' : 'normal';
    const elsewhere = regime === 'stress' ? 'calm_uptrend' : 'stress';
    const [within, without] = [
      await listen(`?symbols=SPY&severity=${state_name}&regime=${regime}&events=signal.${state_name}`),
      await Promise.all(
        ['symbols=QQQ', `severity=${other}`, `regime=${elsewhere}`, `events=signal.${other}`].map((query) =>
          listen(`?${query}`),
        ),
      ),
    ];
    const [created] = await trigger('signal.created', 'SPY');
    const isIn = (text: string): boolean => ids(text).includes(created?.event_id ?? '');
    expect(eventNames(await within.until(isIn))).toEqual(['signal.created']);
    for (const one of without) expect(eventNames(await one.until(isIn))).toEqual([]);
  });

  test.each(['severity=worse', 'events=signal.worse', 'symbols=S%20Y', 'regime=strss', 'severity=1,4'])(
    '%s is 400 before the stream opens',
    async (query) => {
      const answer = await sandbox.get(`/stream?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('resuming', () => {
  test('Last-Event-ID replays everything after it, in order, and goes on live without a gap or a double', async () => {
    const log = (await sandbox.get('/events?limit=100')).body.data as { event_id: string; seq: number }[];
    const stream = await listen('', { 'last-event-id': log[4]?.event_id ?? '' });
    expect(stream.headers.get('x-stream-resume')).toBe('resumed');
    const live = await trigger('signal.high_risk', 'SPY');
    const lastId = live.at(-1)?.event_id ?? '';
    const text = await stream.until((soFar) => soFar.includes(lastId) && soFar.endsWith('\n\n'));
    const seqs = [...text.matchAll(/"seq":(\d+)/g)].map((match) => Number(match[1]));
    const expected = Array.from({ length: (live.at(-1)?.seq ?? 0) - 5 }, (_, index) => index + 6);
    expect(ids(text)).toHaveLength(expected.length);
    expect(new Set(ids(text)).size).toBe(expected.length);
    expect(seqs).toEqual(expected.filter((seq) => seqs.includes(seq)));
    expect(ids(text)[0]).toBe(log[5]?.event_id);
  });

  test('an id that is not known is answered with the live stream, and header and comment say so', async () => {
    const stream = await listen('', { 'last-event-id': 'evt_never' });
    expect(stream.headers.get('x-stream-resume')).toBe('unknown-id');
    await trigger('regime.flip', 'SPY');
    const text = await stream.until((soFar) => ids(soFar).length > 0);
    expect(text).toMatch(/^: unknown Last-Event-ID/);
    expect(ids(text)).toHaveLength(1);
  });
});

describe('limits', () => {
  test('a sixth stream of one key is 429 with Retry-After, and possible again when one has ended', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => listen()));
    const sixth = await sandbox.get('/stream');
    expect([sixth.status, sixth.body.code]).toEqual([429, 'rate_limited']);
    expect(sixth.headers['retry-after']).toMatch(/^\d+$/);
    sandbox.service.admitKey('svc_test_anotheranother0001');
    expect((await listen('', { 'x-api-key': 'svc_test_anotheranother0001' })).status).toBe(200);
    five[0]?.cancel();
    await until(() => sandbox.service.readings().streams === 5);
    expect((await listen()).status).toBe(200);
  });

  test('a client that reads nothing is disconnected at a megabyte of backlog; others receive everything', {
    tags: ['long'],
  }, async () => {
    const slow = await deafSocket();
    const good = await listen();
    let last = (await trigger('signal.normal', 'SPY')).at(-1)?.seq ?? 0;
    const first = last;
    // The kernel buffers some megabytes before anything queues here.
    for (let round = 0; round < 100 && sandbox.service.readings().streams === 2; round++) {
      sandbox.service.signals.churn(500);
      last += 500;
      const seen = `"seq":${last},`;
      await good.until((text) => text.includes(seen));
    }
    expect(sandbox.service.readings().streams).toBe(1);
    expect(await slow.rest()).toContain(': cut: the reader is too slow; reconnect with Last-Event-ID');
    expect(ids(good.text()).length).toBeGreaterThanOrEqual(last - first);
  });

  test('a reader that does not even read what was written before the cut is closed two seconds later', async () => {
    const slow = await deafSocket();
    for (let round = 0; round < 100 && sandbox.service.readings().streams === 1; round++) {
      sandbox.service.signals.churn(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sandbox.clock.advance(2_000);
    expect(await slow.rest()).not.toContain(': cut:');
  });
});

/** Asks for the stream and never reads. */
async function deafSocket(): Promise<{ rest(): Promise<string> }> {
  const socket: Socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  socket.pause();
  socket.write(`GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${SANDBOX_KEY}\r\n\r\n`);
  await until(() => sandbox.service.readings().streams === 1);
  return {
    rest: () =>
      new Promise((resolve) => {
        let text = '';
        socket.on('data', (chunk) => {
          text = (text + chunk).slice(-1000);
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
        socket.resume();
      }),
  };
}

test('the end of the service is a last comment, and the end of the stream', { tags: ['long'] }, async () => {
  const own = await startSandbox({ symbols: 1 });
  await own.service.app.listen({ host: '127.0.0.1', port: 0 });
  const address = own.service.app.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/stream`;
  const answer = await fetch(url, { headers: { 'x-api-key': SANDBOX_KEY } });
  const closing = own.service.close();
  expect(await answer.text()).toMatch(/: the service is stopping; reconnect with Last-Event-ID\n\n$/);
  await closing;
});
