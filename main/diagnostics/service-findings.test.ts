// Test: the findings on a profile's key and service.
import { expect, test } from 'vitest';
import { type ProblemKind, problem } from '../../client/problem.ts';
import type { KeyState } from '../../shared/channels/keys.ts';
import { type ProfileInspection, profileFindings, type ServiceInspection } from './service-findings.ts';

const KEY: KeyState = {
  status: 'ready',
  tier: 'keychain',
  tier_label: "the system's keychain",
  message: "The key is kept in the system's keychain.",
  prefix: 'svc_live_',
  ending: '0012',
  saved_at: null,
  age_days: 3,
  rotation_due: false,
};
const SERVICE: ServiceInspection = {
  health: { took: 12 },
  events: { took: 20 },
  skew: { ms: 300, within: 200 },
  stream: { took: 30 },
};
const SOUND: ProfileInspection = {
  name: 'desk',
  environment: 'production',
  enabled: true,
  mode: 'auto',
  host: 'risk.example',
  key: KEY,
  service: SERVICE,
};
const wrong = (kind: ProblemKind, status: number | null = null, message = 'No.') => ({
  problem: problem(kind, message, status),
});
const probed = (change: Partial<ServiceInspection>): Partial<ProfileInspection> => ({
  service: { ...SERVICE, ...change },
});
const keyed = (change: Partial<KeyState>): Partial<ProfileInspection> => ({
  key: { ...KEY, ...change },
  service: { ...SERVICE, events: null, stream: null },
});

test('all well, and the duration of the requests', () => {
  const found = profileFindings(SOUND);
  expect(found.map(({ name, status, cure }) => [name, status, cure])).toEqual(
    ['key', 'service', 'clock', 'key accepted', 'stream', 'completeness'].map((name) => [name, 'ok', null]),
  );
  expect(found[3]?.found).toBe('The service accepts the key. It answers in 20 ms. That cost one call of the quota.');
  expect(found[4]?.found).toMatch(/cost another call/);
  expect(JSON.stringify(profileFindings({ ...SOUND, environment: 'sandbox' }))).not.toContain('cost');
});

const CASES: readonly [Partial<ProfileInspection>, string, 'ok' | 'warn' | 'fail', RegExp][] = [
  [{ enabled: false }, 'profile', 'warn', /switched off/],
  [{ host: null, key: null }, 'key', 'ok', /a key of its own/],
  [{ mode: 'proxy', key: null }, 'key', 'ok', /dashboard signs; no key/],
  [{ mode: 'proxy', key: null }, 'key accepted', 'ok', /dashboard signs, and the service accepts/],
  [{ key: { ...KEY, rotation_due: true, message: 'It is 100 days old.' } }, 'key', 'warn', /100 days old/],
  [keyed({ status: 'locked', message: 'It is locked.' }), 'key', 'warn', /It is locked\. Key and stream are not tried/],
  [keyed({ status: 'none', tier: 'session' }), 'key', 'warn', /for a session only/],
  [keyed({ status: 'none', message: 'No key is saved.' }), 'key', 'fail', /No key is saved/],
  [keyed({ status: 'failed', message: 'The keychain cannot be used.' }), 'key', 'fail', /cannot be used/],
  [{ service: 'needs_app', host: null }, 'service', 'warn', /inside the app, and is not checked now/],
  [{ service: 'closed', host: null }, 'service', 'ok', /alone can ask it/],
  [probed({ health: wrong('not_sent'), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('network'), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('redirected', 302), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('not_found', 404) }), 'service', 'warn', /does not report that it is healthy: No\./],
  [probed({ skew: null }), 'clock', 'warn', /does not report its time/],
  [probed({ skew: { ms: 5_001, within: 100 } }), 'clock', 'warn', /5\.0 s ahead of/],
  [probed({ skew: { ms: -90_000, within: 100 } }), 'clock', 'warn', /90\.0 s behind/],
  [probed({ skew: { ms: -5_000, within: 0 } }), 'clock', 'ok', /within 5\.0 s/],
  [probed({ events: wrong('forbidden', 403) }), 'key accepted', 'fail', /knows the key and refuses/],
  [probed({ events: wrong('rate_limited', 429) }), 'key accepted', 'warn', /could not be tried/],
  [probed({ events: wrong('unavailable', 503) }), 'key accepted', 'warn', /could not be tried/],
  [probed({ events: wrong('unauthorized', 401) }), 'key accepted', 'fail', /does not accept this key/],
  [
    { ...probed({ events: wrong('unauthorized', 401) }), mode: 'proxy', key: null },
    'key accepted',
    'fail',
    /dashboard's signature/,
  ],
  [probed({ events: wrong('not_found', 404) }), 'completeness', 'warn', /no means to prove completeness/],
  [probed({ stream: { late: 3_000 } }), 'stream', 'warn', /nothing came within 3\.0 s/],
  [
    probed({ stream: wrong('unreadable', 200, 'It is a page.') }),
    'stream',
    'warn',
    /It is a page\. Barograph asks every few seconds/,
  ],
];
test.each(CASES)('%j', (change, name, status, text) => {
  const found = profileFindings({ ...SOUND, ...change });
  expect(found.filter((one) => one.status !== 'ok').map((one) => one.name)).toEqual(status === 'ok' ? [] : [name]);
  const finding = found.find((one) => one.name === name);
  expect(finding).toMatchObject({ status, found: expect.stringMatching(text) });
  expect(finding?.cure === null).toBe(status === 'ok');
});

test('where a service lists no events, its stream shows whether the key is valid', () => {
  const events = wrong('not_found', 404);
  const acceptance = (stream: ServiceInspection['stream']) =>
    profileFindings({ ...SOUND, ...probed({ events, stream }) }).find(({ name }) => name === 'key accepted')?.status;
  expect(acceptance({ took: 1 })).toBe('ok');
  expect(acceptance({ late: 3_000 })).toBe('ok');
  expect(acceptance(wrong('unauthorized', 401))).toBe('fail');
  expect(acceptance(wrong('network'))).toBe('warn');
});

test('where the service does not answer there are no further findings about it', () => {
  const found = profileFindings({
    ...SOUND,
    ...probed({ health: wrong('timeout'), events: null, stream: null, skew: null }),
  });
  expect(found.map(({ name }) => name)).toEqual(['key', 'service']);
});
