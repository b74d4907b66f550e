// Test: the client with a changing key: no request without a valid key, no key in an error.
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { OWN_PEER } from '../../../test/harness/peer.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeyedClient, type KeyInUse } from './keyed-client.ts';

const LIVE = 'svc_live_plantedplantedplanted0004';
const TEST = 'svc_test_plantedplantedplanted0004';
const profile = {
  name: 'desk',
  environment: 'production',
  baseUrl: 'https://api.example.com',
  mode: 'api-key',
  enabled: true,
} as Profile;

function rig(
  first: KeyInUse,
  answer: () => Response | Promise<Response> = () => Response.json({}),
  mode: Profile['mode'] = profile.mode,
) {
  const sent: { path: string; key: string | null; signal: AbortSignal | null | undefined }[] = [];
  const { client, use } = createKeyedClient({
    baseUrl: () => 'https://api.example.com',
    first,
    profile: { ...profile, mode },
    peer: OWN_PEER,
    clock: createManualClock(),
    fetch: async (url, init) => {
      sent.push({
        path: new URL(url).pathname,
        key: new Headers(init?.headers).get('x-api-key'),
        signal: init?.signal,
      });
      return answer();
    },
  });
  return { client, use, sent };
}

test.each([
  [
    'a sandbox key in a production profile',
    { key: TEST, reason: null },
    /a sandbox key, and profile desk is production/,
  ],
  ['a key with a line break', { key: `${LIVE}\r\nx: y`, reason: null }, /blanks or signs/],
  [
    'a key that is still being asked for',
    { key: null, reason: plainMessage('The key is being asked for.') },
    /^The key is being asked for\.$/,
  ],
])('with %s not a byte is sent', async (_, first, message) => {
  const { client, sent } = rig(first);
  const answers = await Promise.all([
    client.read('root'),
    client.call('health'),
    client.page('snapshot'),
    client.openStream({}, {}, new AbortController().signal),
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ ok: false, error: { kind: 'not_sent', message: expect.stringMatching(message) } });
    expect(JSON.stringify(answer)).not.toContain('planted');
  }
  expect(sent).toEqual([]);
});

test('a new key is used from the next call on, and aborts calls with the old key', async () => {
  const { client, use, sent } = rig({ key: null, reason: plainMessage('Wait.') });
  use({ key: LIVE, reason: null });
  expect((await client.page('snapshot')).ok).toBe(false);
  expect(sent).toMatchObject([{ path: '/snapshot', key: LIVE }]);
  const stream = client.openStream({}, {}, new AbortController().signal);
  use({ key: null, reason: plainMessage('Gone.') });
  await stream;
  expect(sent.at(-1)?.signal?.aborted).toBe(true);
  expect(await client.page('snapshot')).toMatchObject({ error: { message: 'Gone.' } });
});

test('a closed client stays closed with any key', async () => {
  const { client, use, sent } = rig({ key: LIVE, reason: null });
  client.close();
  use({ key: `${LIVE}b`, reason: null });
  expect(await client.read('root')).toMatchObject({ ok: false });
  expect(sent).toEqual([]);
});

test.each([
  'https://other.example/snapshot',
  'http://api.example.com/snapshot',
  'https://api.example.com:8443/snapshot',
])('the key does not follow a redirect to %s', async (location) => {
  const { client, sent } = rig(
    { key: LIVE, reason: null },
    () => new Response(null, { status: 307, headers: { location } }),
  );
  expect(await client.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'redirected' } });
  expect(sent).toHaveLength(1);
});

test('an echo of the key as the code of an error, or in the beginning of an answer that is too large, is hidden', async () => {
  const asCode = rig({ key: LIVE, reason: null }, () => Response.json({ code: LIVE, message: 'No.' }, { status: 400 }));
  const refused = await asCode.client.call('health');
  expect(JSON.stringify(refused).toLowerCase()).not.toContain('planted');
  const large = rig(
    { key: LIVE, reason: null },
    () => new Response(`{"key":"${LIVE}","x":"${'x'.repeat(9_000_000)}"}`),
  );
  const cut = await large.client.call('health');
  expect(cut).toMatchObject({ ok: false, error: { kind: 'too_large' } });
  expect(JSON.stringify(cut)).not.toContain('planted');
});

test('an echo of the key in the service’s error is hidden everywhere', async () => {
  const { client } = rig({ key: LIVE, reason: null }, () =>
    Response.json(
      { code: 'unauthorized', message: `The key ${LIVE} is unknown.`, doc_url: 'https://api.example.com/docs' },
      { status: 401 },
    ),
  );
  const answer = await client.page('snapshot');
  expect(answer).toMatchObject({
    ok: false,
    error: { kind: 'unauthorized', message: expect.stringContaining('[hidden]') },
  });
  expect(JSON.stringify(answer)).not.toContain(LIVE);
});

test.each([
  ['no key', 'auto', null, 'without_key'],
  ['a key', 'auto', LIVE, 'unauthorized'],
  ['a dashboard, which signs', 'proxy', null, 'unauthorized'],
] as const)('a 401 with %s (%s) says whether a key was missing', async (_, mode, key, code) => {
  const answer = () => Response.json({ code: 'UNAUTHORIZED', message: 'Send a key.' }, { status: 401 });
  const { client } = rig({ key, reason: null }, answer, mode);
  expect(await client.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'unauthorized', code } });
});
