// Test: obtaining the session of a page of the Node shell.
import { describe, expect, it } from 'vitest';
import { SESSION_KEY } from '../../shared/channels/session-endpoint.ts';
import { type SessionPage, takeSession } from './session.ts';

const GRANTED = 'a-session-of-twenty-letters';

function page(hash: string, answer: () => Response | Promise<Response>, previousSession: string | null = null) {
  const stored = new Map<string, string>(previousSession === null ? [] : [[SESSION_KEY, previousSession]]);
  const seen: { path: string; body: unknown }[] = [];
  const cleared = { times: 0 };
  const given: SessionPage = {
    hash,
    clearHash: () => {
      cleared.times += 1;
    },
    storage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
    fetch: async (path, init) => {
      seen.push({ path, body: JSON.parse(String(init.body)) });
      return answer();
    },
  };
  return { given, stored, seen, cleared };
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

describe('the session of a page', () => {
  it('exchanges the token of the address, keeps the session, and cleans the address', async () => {
    const { given, stored, seen, cleared } = page('#t=abc', () => json({ session: GRANTED }));
    expect(await takeSession(given)).toEqual({ ok: true, value: GRANTED });
    expect(seen).toEqual([{ path: '/session', body: { token: 'abc' } }]);
    expect([stored.get(SESSION_KEY), cleared.times]).toEqual([GRANTED, 1]);
  });
  it('uses the stored session when the address has no token', async () => {
    const { given, seen } = page('', () => json({}, 500), 'old');
    expect(await takeSession(given)).toEqual({ ok: true, value: 'old' });
    expect(seen).toEqual([]);
  });
  it('falls back to the stored session when the token was used already', async () => {
    expect(await takeSession(page('#t=abc', () => json({ code: 'refused' }, 401), 'old').given)).toEqual({
      ok: true,
      value: 'old',
    });
  });
  it.each([
    ['no_token', page('', () => json({}))],
    ['token_refused', page('#t=abc', () => json({}, 401))],
    ['token_refused', page('#t=abc', () => json({ session: '' }))],
    ['token_refused', page('#t=abc', () => new Response('<html>', { status: 200 }))],
    ['unreachable', page('#t=abc', () => Promise.reject(new Error('down')))],
  ])('says %s', async (reason, { given }) => {
    expect(await takeSession(given)).toEqual({ ok: false, error: reason });
  });
});
