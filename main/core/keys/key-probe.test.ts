// Test: the probe of a key sends one request, and its result does not contain the key.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { OWN_PEER } from '../../../test/harness/peer.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeyProbe } from './key-probe.ts';

const KEY = 'svc_live_plantedplantedplanted0013';
const profile: Profile = {
  name: 'desk',
  environment: 'production',
  baseUrl: 'https://api.example.com',
  mode: 'api-key',
  enabled: true,
};

test.each([
  ['takes it', () => Response.json({ data: [] }), 'accepted', 1],
  [
    'does not know it',
    () => Response.json({ code: 'unauthorized', message: `${KEY}?` }, { status: 401 }),
    'refused',
    1,
  ],
  [
    'does not let it read this',
    () => Response.json({ code: 'forbidden', message: 'plan' }, { status: 403 }),
    'untried',
    1,
  ],
  ['is overloaded', () => new Response(null, { status: 503 }), 'untried', 1],
  ['is not there', () => Promise.reject(new Error('connect ECONNREFUSED')), 'untried', 1],
] as const)('a service that %s', async (_, answer, outcome, count) => {
  const keys: (string | null)[] = [];
  const probe = createKeyProbe(
    profile,
    async (_url, init) => {
      keys.push(new Headers(init?.headers).get('x-api-key'));
      return answer();
    },
    createManualClock(),
    OWN_PEER,
  );
  const result = await probe(KEY);
  expect(result.outcome).toBe(outcome);
  expect(keys).toEqual(Array.from({ length: count }, () => KEY));
  expect(JSON.stringify(result)).not.toContain('planted');
});

test('a key of the other environment is not sent', async () => {
  let count = 0;
  const probe = createKeyProbe(
    { ...profile, environment: 'sandbox' },
    async () => Response.json({ n: ++count }),
    createManualClock(),
    OWN_PEER,
  );
  expect(await probe(KEY)).toMatchObject({ outcome: 'untried' });
  expect(count).toBe(0);
});
