// Service, auth, test: accepts dashboard tokens in place of keys, and nothing else.
import { expect, test } from 'vitest';
import { routes } from '../../shared/wire/routes.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createProxyTokens } from '../proxy/tokens.ts';
import type { Caller } from './authenticate.ts';
import { DASHBOARD, orDashboard } from './dashboard-caller.ts';

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
  const tokens = createProxyTokens(new Uint8Array(32).fill(7), clock);
  const others = createProxyTokens(new Uint8Array(32).fill(8), clock);
  const authenticate = orDashboard(() => BY_KEY, tokens, { plan: 'pro', hardCap: false });
  const ask = async (headers: Record<string, string>): Promise<string> =>
    (await authenticate(headers, routes.snapshot)).id;
  return { clock, tokens, others, authenticate, ask };
}
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

test('a token to the backend identifies the dashboard, with its own terms', async () => {
  const { tokens, authenticate } = rig();
  expect(await authenticate(bearer(await tokens.forBackend()), routes.snapshot)).toMatchObject({
    id: DASHBOARD,
    account: DASHBOARD,
    scope: 'webhooks',
    plan: 'pro',
    hardCap: false,
  });
});

test('a request that also has a key, or whose token is foreign, expired or for another audience, is authenticated by its key', async () => {
  const { clock, tokens, others, ask } = rig();
  const token = await tokens.forBackend();
  expect(await ask({ ...bearer(token), 'x-api-key': 'k' })).toBe('key_1');
  expect(await ask(bearer(await tokens.forSession()))).toBe('key_1');
  expect(await ask(bearer(await others.forBackend()))).toBe('key_1');
  expect(await ask({})).toBe('key_1');
  await clock.advance(59_000);
  expect(await ask(bearer(token))).toBe(DASHBOARD);
  await clock.advance(2_000);
  expect(await ask(bearer(token))).toBe('key_1');
});
