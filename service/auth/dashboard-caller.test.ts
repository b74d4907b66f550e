// Service, auth, test: accepts only dashboard tokens in place of keys.
import { expect, test } from 'vitest';
import { routes } from '../../shared/wire/routes.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import type { Caller } from './authenticate.ts';
import { DASHBOARD, orDashboard } from './dashboard-caller.ts';
import { createProxyTokens } from './proxy-tokens.ts';

const BY_KEY: Caller = {
  id: 'key_1',
  ending: '0000',
  account: 'acct_1',
  scope: 'read',
  plan: 'desk',
  hardCap: true,
  contract: null,
};
function rig() {
  const clock = createManualClock();
  const live = new Set(['key_2']);
  const terms = { plan: null, hardCap: false, contract: null, ownerEmail: null };
  const tokens = createProxyTokens(new Uint8Array(32).fill(7), clock);
  const others = createProxyTokens(new Uint8Array(32).fill(8), clock);
  const authenticate = orDashboard(() => BY_KEY, {
    tokens,
    clock,
    rules: { plan: 'pro', hardCap: false },
    keys: {
      account: (id) => (id === DASHBOARD ? { ...terms, id } : null),
      findId: (id) => (live.has(id) ? { ...BY_KEY, plan: null, hardCap: false, id, account: 'fund' } : null),
    },
  });
  const ask = async (headers: Record<string, string>): Promise<string> =>
    (await authenticate(headers, routes.snapshot)).id;
  return { clock, live, terms, tokens, others, authenticate, ask };
}
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

test('a token to the backend identifies the dashboard, with its own terms', async () => {
  const { tokens, authenticate } = rig();
  expect(
    await authenticate(bearer(await tokens.forBackend({ scope: 'webhooks', key: null })), routes.snapshot),
  ).toMatchObject({
    id: DASHBOARD,
    account: DASHBOARD,
    scope: 'webhooks',
    plan: 'pro',
    hardCap: false,
  });
});

test('a request that also has a key, or whose token is foreign or expired, is authenticated by its key', async () => {
  const { clock, tokens, others, ask } = rig();
  const token = await tokens.forBackend({ scope: 'webhooks', key: null });
  expect(await ask({ ...bearer(token), 'x-api-key': 'k' })).toBe('key_1');
  expect(await ask(bearer(await others.forBackend({ scope: 'webhooks', key: null })))).toBe('key_1');
  expect(await ask({})).toBe('key_1');
  await clock.advance(59_000);
  expect(await ask(bearer(token))).toBe(DASHBOARD);
  await clock.advance(2_000);
  expect(await ask(bearer(token))).toBe('key_1');
});

test('a token of the scope read opens no webhooks', async () => {
  const { tokens, authenticate } = rig();
  const read = bearer(await tokens.forBackend({ scope: 'read', key: null }));
  expect(await authenticate(read, routes.snapshot)).toMatchObject({ id: DASHBOARD, scope: 'read' });
  expect(await authenticate(read, routes.subscribe)).toMatchObject({ id: 'key_1' });
});

test('a token of a session that a key began is of the account of that key, with the terms of that account', async () => {
  const { tokens, authenticate } = rig();
  const token = bearer(await tokens.forBackend({ scope: 'account', key: 'key_2' }));
  expect(await authenticate(token, routes.keys)).toEqual({
    id: 'key_2',
    ending: '0000',
    account: 'fund',
    scope: 'account',
    plan: 'pro',
    hardCap: false,
    contract: null,
  });
});

test('a token of a key that has ended opens nothing, though it was signed before', async () => {
  const { live, tokens, authenticate } = rig();
  const token = bearer(await tokens.forBackend({ scope: 'account', key: 'key_2' }));
  live.delete('key_2');
  await expect(authenticate(token, routes.snapshot)).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('a token of one session is never given to another', async () => {
  const { tokens, authenticate } = rig();
  const [own, other] = [
    await tokens.forBackend({ scope: 'read', key: 'key_2' }),
    await tokens.forBackend({ scope: 'read', key: null }),
  ];
  expect((await authenticate(bearer(own), routes.snapshot)).account).toBe('fund');
  expect((await authenticate(bearer(other), routes.snapshot)).account).toBe(DASHBOARD);
  expect(await authenticate(bearer(own), routes.keys)).toEqual(BY_KEY);
});

test('the terms of the account of the dashboard are those of the store, where it has any', async () => {
  const { terms, tokens, authenticate } = rig();
  const token = bearer(await tokens.forBackend({ scope: 'read', key: null }));
  Object.assign(terms, { plan: 'desk', hardCap: true });
  expect(await authenticate(token, routes.snapshot)).toMatchObject({ plan: 'desk', hardCap: true });
});
