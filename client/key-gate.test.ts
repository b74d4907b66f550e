// Test: no byte of a key is sent over plain http before the listener proved that it knows the key.
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createWebHashes } from '../shared/lib/web-hashes.ts';
import { proofText } from '../shared/wire/proof.ts';
import { createManualClock, settle } from '../test/harness/manual-clock.ts';
import { createClient } from './client.ts';
import { type ConnectOptions, connect } from './index.ts';
import type { Listener, Peer } from './key-gate.ts';

const KEY = 'svc_test_plantedplantedplanted0021';
const BASE = 'http://127.0.0.1:8787/v1/';

const proofOf = (url: URL, key = KEY): string => {
  const [id = '', nonce = '', origin = ''] = ['key', 'nonce', 'origin'].map((name) => url.searchParams.get(name) ?? '');
  const digest = createHash('sha256').update(key).digest('hex');
  return createHmac('sha256', digest)
    .update(proofText(origin, id, nonce))
    .digest('hex');
};
const proves = (url: URL): Response => Response.json({ proof: proofOf(url) });
const without = (): Response => Response.json({ code: 'not_found' }, { status: 404 });
const isProof = ({ pathname }: URL): boolean => pathname === '/v1/proof';

interface Rig {
  listener?: Listener;
  known?: ReturnType<Peer['known']>;
  base?: string;
  key?: string | null;
  mode?: 'auto' | 'proxy';
  answer?: (url: URL) => Response | Promise<Response>;
}

function rig(given: Rig = {}) {
  const state = {
    listener: { owner: 'unknown', socket: null } as Listener,
    known: null as ReturnType<Peer['known']>,
    answer: proves as (url: URL) => Response | Promise<Response>,
    /** Requests other than for a proof fail. */
    isBroken: false,
    ...given,
  };
  const requests: URL[] = [];
  let sent = '';
  const clock = createManualClock();
  const client = createClient({
    base: new URL(given.base ?? BASE),
    key: given.key === undefined ? KEY : given.key,
    mode: given.mode ?? 'auto',
    peer: {
      hashes: {
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
        hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
      },
      listener: () => state.listener,
      known: () => state.known,
      proven: () => {
        state.known = 'proof';
      },
    },
    clock,
    fetch: async (address, init) => {
      const url = new URL(address);
      requests.push(url);
      sent += `${address} ${JSON.stringify([...new Headers(init?.headers)])} ${String(init?.body)}\n`;
      if (state.isBroken && !isProof(url)) throw new TypeError('fetch failed');
      return isProof(url) ? state.answer(url) : Response.json({ data: [], has_more: false, next_cursor: null });
    },
  });
  const ask = async () => {
    const answer = await client.page('snapshot');
    return answer.ok ? 'sent' : `${answer.error.kind} ${answer.error.code}`.trim();
  };
  return { client, clock, state, requests, sent: () => sent, ask, proofs: () => requests.filter(isProof).length };
}

const SELF: Listener = { owner: 'self', socket: '1' };
const OTHER: Listener = { owner: 'other', socket: '2' };

describe('the key is sent', () => {
  test('after a proof, which is asked for once', async () => {
    const { ask, proofs, sent } = rig({ listener: OTHER });
    expect([await ask(), await ask(), proofs()]).toEqual(['sent', 'sent', 1]);
    expect(sent().split('\n')[0]).not.toContain('planted');
  });

  test('once for calls that run together', async () => {
    const { ask, proofs } = rig();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['sent', 'sent', 'sent']);
    expect(proofs()).toBe(1);
  });

  test.each<[string, Rig]>([
    ['a service without proofs, of the same user', { listener: SELF, answer: without }],
    ['one that the user allowed', { known: 'user', answer: without }],
    [
      'one that fails at unknown paths, of the same user',
      { listener: SELF, answer: () => new Response('', { status: 500 }) },
    ],
  ])('to %s', async (_, given) => {
    expect(await rig(given).ask()).toBe('sent');
  });

  test.each<[string, Rig]>([
    ['https', { base: 'https://risk.example/v1/', answer: without, listener: OTHER }],
    ['a dashboard that signs', { mode: 'proxy', answer: without, listener: OTHER }],
    ['a client without a key', { key: null, answer: without, listener: OTHER }],
  ])('%s needs no proof', async (_, given) => {
    const { ask, proofs } = rig(given);
    expect([await ask(), proofs()]).toEqual(['sent', 0]);
  });
});

describe('nothing but the question is sent', () => {
  test.each<[string, Rig, string]>([
    ['another user’s program', { listener: OTHER, answer: without }, 'unproven other_user'],
    [
      'another user’s program that the user allowed before',
      { listener: OTHER, known: 'user', answer: without },
      'unproven other_user',
    ],
    [
      'another user’s program that says it is not ready',
      { listener: OTHER, known: 'user', answer: () => new Response('', { status: 503 }) },
      'unavailable',
    ],
    [
      'another user’s program that says it is asked too often',
      { listener: OTHER, known: 'user', answer: () => new Response('', { status: 429 }) },
      'rate_limited',
    ],
    ['a program of nobody knows whom', { answer: without }, 'unproven unknown_owner'],
    [
      'a program in the place of a service that proved itself',
      { known: 'proof', listener: SELF, answer: without },
      'unproven absent_proof',
    ],
    [
      'a page of something in between',
      {
        known: 'proof',
        listener: SELF,
        answer: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      },
      'timeout',
    ],
    [
      'a proof of another key',
      { known: 'proof', answer: (url) => Response.json({ proof: proofOf(url, 'other') }) },
      'unproven no_proof',
    ],
    [
      'a proof of another address',
      {
        known: 'proof',
        answer: (url) => {
          url.searchParams.set('origin', 'http://127.0.0.1:9999');
          return proves(url);
        },
      },
      'unproven no_proof',
    ],
    [
      'an earlier proof',
      {
        known: 'proof',
        answer: (url) => {
          url.searchParams.set('nonce', '0'.repeat(64));
          return proves(url);
        },
      },
      'unproven no_proof',
    ],
    [
      'a proof that is a redirect',
      { known: 'proof', answer: () => new Response(null, { status: 302, headers: { location: BASE } }) },
      'unproven absent_proof',
    ],
    [
      'another user on one of the two addresses of a name',
      { base: 'http://localhost:8787/v1/', listener: OTHER },
      'unproven other_user',
    ],
    [
      'a service that is too busy to prove itself',
      { known: 'proof', answer: () => new Response('', { status: 503 }) },
      'unavailable',
    ],
  ])('to %s', async (_, given, problem) => {
    const { client, ask, requests, sent } = rig(given);
    expect(await ask()).toBe(problem);
    const root = await client.read('root');
    const stream = await client.openStream({}, {}, new AbortController().signal);
    expect([root.ok, stream.ok]).toEqual([false, false]);
    expect(requests.every(isProof)).toBe(true);
    expect(sent()).not.toContain('planted');
  });

  test('no key goes to a service whose answer this computer cuts off, which is no accusation', async () => {
    const cut = () =>
      new Response(new ReadableStream({ start: (part) => part.enqueue(new TextEncoder().encode('{')) }));
    const { clock, ask, sent } = rig({ known: 'proof', listener: SELF, answer: cut });
    const asked = ask();
    await clock.advance(5_000);
    expect(await asked).toBe('timeout');
    expect(sent()).not.toContain('planted');
  });

  test('to one that never answers', async () => {
    const { clock, ask, sent } = rig({ known: 'proof', answer: () => new Promise(() => undefined) });
    const asked = ask();
    await clock.advance(5_000);
    expect(await asked).toBe('timeout');
    expect(sent()).not.toContain('planted');
  });
});

describe('the proof is asked for again', () => {
  test('after the stream ended', async () => {
    const { client, ask, proofs, state, requests } = rig({ listener: { owner: 'other', socket: '7' } });
    const over = new AbortController();
    await client.openStream({}, {}, over.signal);
    expect([await ask(), proofs()]).toEqual(['sent', 1]);
    state.answer = without;
    expect([await ask(), proofs()]).toEqual(['sent', 1]);
    over.abort();
    expect([await ask(), proofs(), requests.length]).toEqual(['unproven other_user', 2, 5]);
  });

  test('before every request, where neither an open stream nor the platform tells that the program is the same', async () => {
    const { client, ask, proofs } = rig();
    expect([await ask(), await ask(), proofs()]).toEqual(['sent', 'sent', 2]);
    const over = new AbortController();
    await client.openStream({}, {}, over.signal);
    expect([await ask(), await ask(), proofs()]).toEqual(['sent', 'sent', 3]);
    over.abort();
    expect([await ask(), proofs()]).toEqual(['sent', 4]);
  });

  test('after a request failed', async () => {
    const { ask, proofs, state, requests } = rig();
    state.isBroken = true;
    expect([await ask(), proofs()]).toEqual(['network', 1]);
    state.isBroken = false;
    state.answer = without;
    expect([await ask(), proofs(), requests.length]).toEqual(['unproven absent_proof', 2, 3]);
  });

  test('when another program listens there, before any connection ended', async () => {
    const { ask, proofs, state, requests } = rig({ listener: { owner: 'other', socket: '7' } });
    expect(await ask()).toBe('sent');
    state.listener = { owner: 'other', socket: '8' };
    state.answer = without;
    expect([await ask(), proofs(), requests.length]).toEqual(['unproven no_proof', 2, 3]);
    state.listener = { owner: 'other', socket: '9' };
    state.answer = proves;
    expect(await ask()).toBe('sent');
  });

  test('when the program changed while it was asked', async () => {
    const made = rig({ listener: { owner: 'other', socket: '7' } });
    made.state.answer = (url) => {
      if (made.proofs() === 1) made.state.listener = { owner: 'other', socket: '8' };
      return proves(url);
    };
    expect([await made.ask(), made.proofs()]).toEqual(['sent', 2]);
  });

  test('when a connection ended while it was asked', async () => {
    const made = rig();
    const over = new AbortController();
    await made.client.openStream({}, {}, over.signal);
    const again = new AbortController();
    made.state.answer = (url) => {
      if (made.proofs() === 2) again.abort();
      return proves(url);
    };
    over.abort();
    const opened = made.client.openStream({}, {}, again.signal);
    expect([await made.ask(), made.proofs()]).toEqual(['sent', 3]);
    expect(await opened).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    await settle();
  });
});

describe('a client of another program', () => {
  async function asked(
    options: Pick<ConnectOptions, 'trusted' | 'mustProve' | 'listener'>,
    answers: readonly ((url: URL) => Response)[],
  ) {
    let sent = '';
    const client = connect({
      ...options,
      baseUrl: BASE,
      key: KEY,
      fetch: async (address, init) => {
        const url = new URL(address);
        if (isProof(url)) return (answers[found.length] ?? without)(url);
        sent += JSON.stringify([...new Headers(init?.headers)]);
        return Response.json({ data: [], has_more: false, next_cursor: null });
      },
    });
    const found: string[] = [];
    for (const _ of answers) {
      const answer = await client.page('snapshot');
      found.push(answer.ok ? 'sent' : answer.error.code);
    }
    return { found, sent };
  }

  test('trusted: the key goes to a service that proves nothing, where nobody tells whose it is', async () => {
    expect((await asked({ trusted: true }, [without])).found).toEqual(['sent']);
    expect((await asked({}, [without])).found).toEqual(['unknown_owner']);
  });

  test('trusted: never to another user’s program', async () => {
    const { found, sent } = await asked({ trusted: true, listener: () => OTHER }, [without]);
    expect([found, sent]).toEqual([['other_user'], '']);
  });

  test('trusted: once it has proved itself, it must', async () => {
    expect((await asked({ trusted: true }, [without, proves, without])).found).toEqual([
      'sent',
      'sent',
      'absent_proof',
    ]);
  });

  test('mustProve: from the first request, whoever runs it', async () => {
    const { found, sent } = await asked({ trusted: true, mustProve: true, listener: () => SELF }, [without]);
    expect([found, sent]).toEqual([['absent_proof'], '']);
  });
});

test('the hashes of browsers are those of Node', async () => {
  const webHashes = createWebHashes(crypto);
  const digest = createHash('sha256').update(KEY).digest('hex');
  expect(await webHashes.sha256(KEY)).toBe(digest);
  expect(await webHashes.hmac(digest, 'text')).toBe(createHmac('sha256', digest).update('text').digest('hex'));
});
