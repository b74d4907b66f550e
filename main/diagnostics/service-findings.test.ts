// Test: the findings on a profile's key and service.
import { expect, test } from 'vitest';
import { type ProblemKind, problem } from '../../client/problem.ts';
import type { KeyState } from '../../shared/channels/keys.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { type ProfileInspection, profileFindings, type ServiceInspection } from './service-findings.ts';

const KEY: KeyState = {
  status: 'ready',
  tier: 'keychain',
  tier_label: plainMessage("the system's keychain"),
  message: plainMessage("The key is kept in the system's keychain."),
  prefix: 'svc_live_',
  ending: '0012',
  saved_at: null,
  age_days: 3,
  rotation_due: false,
};
const SERVICE: ServiceInspection = {
  health: { took: 12 },
  report: { said: 'ok', means: 'healthy' },
  events: { took: 20 },
  model: 'dd-p-3+fp1-1.0a1b2c',
  skew: { ms: 300, within: 200 },
  stream: { took: 30 },
  progress: { at: 0, passed: 1_900, expected: 2_000 },
};
const SOUND: ProfileInspection = {
  name: 'desk',
  environment: 'production',
  enabled: true,
  mode: 'auto',
  host: 'risk.example',
  isWatched: false,
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
    ['key', 'service', 'clock', 'key accepted', 'stream', 'completeness', 'model'].map((name) => [name, 'ok', null]),
  );
  expect(found[3]?.found).toBe('The service accepts the key. It answers in 20 ms. This used one call of the quota.');
  expect(found[4]?.found).toMatch(/used another call/);
  expect(JSON.stringify(profileFindings({ ...SOUND, environment: 'sandbox' }))).not.toMatch(/used (one|another) call/);
});

const PROXY = { kind: 'proxy', url: 'http://user:planted@p.example:8080/', host: 'p.example:8080' } as const;
const CASES: readonly [Partial<ProfileInspection>, string, 'ok' | 'warn' | 'fail', RegExp][] = [
  [{ states: { 1: 'high_risk' } }, 'states', 'ok', /By the map of this profile: 1 = High Risk\./],
  [{ proxy: PROXY }, 'proxy', 'ok', /service: p\.example:8080, by the environment\./],
  [{ proxy: { kind: 'socks', host: 's.example:1080' } }, 'proxy', 'fail', /SOCKS proxy s\.example:1080, which is not/],
  [probed({}), 'model', 'ok', /^Signals come from model dd-p-3\+fp1-1\.0a1b2c\. This used another call\.$/],
  [
    probed({ model: 'dd-p-3+own-mine.0a1b2c' }),
    'model',
    'ok',
    /own-mine\.0a1b2c: the operator’s own model, not the one/,
  ],
  [{ enabled: false }, 'profile', 'warn', /turned off/],
  [{ host: null, key: null }, 'key', 'ok', /a key of its own/],
  [{ mode: 'proxy', key: null }, 'key', 'ok', /dashboard signs; no key/],
  [{ mode: 'proxy', key: null }, 'key accepted', 'ok', /dashboard signs, and the service accepts/],
  [
    { key: { ...KEY, rotation_due: true, message: plainMessage('It is 100 days old.') } },
    'key',
    'warn',
    /100 days old/,
  ],
  [
    keyed({ status: 'locked', message: plainMessage('It is locked.') }),
    'key',
    'warn',
    /It is locked\. Key and stream were not tested/,
  ],
  [keyed({ status: 'none', tier: 'session' }), 'key', 'warn', /for one session/],
  [keyed({ status: 'none', message: plainMessage('No key is saved.') }), 'key', 'fail', /No key is saved/],
  [
    { ...keyed({ status: 'none', message: plainMessage('No key is saved.') }), isWatched: true },
    'key',
    'warn',
    /No key is saved\. The running app may have one by BAROGRAPH_KEY/,
  ],
  [keyed({ status: 'failed', message: plainMessage('The keychain cannot be used.') }), 'key', 'fail', /cannot be used/],
  [{ service: 'needs_app', host: null }, 'service', 'warn', /inside the app, which is not running/],
  [{ service: 'closed', host: null }, 'service', 'ok', /only program that can reach it/],
  [probed({ health: wrong('not_sent'), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('network'), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('redirected', 302), events: null, stream: null }), 'service', 'fail', /No\./],
  [probed({ health: wrong('not_found', 404) }), 'service', 'warn', /does not report that it is healthy: No\./],
  [
    probed({ health: wrong('unavailable', 503), report: { said: 'down', means: 'down' } }),
    'service',
    'warn',
    /healthy: No\. It says "down"\./,
  ],
  [probed({ report: { said: 'UP', means: 'healthy' } }), 'service', 'ok', /says "UP": it is healthy/],
  [probed({ report: { said: 'degraded', means: 'degraded' } }), 'service', 'warn', /says "degraded": it is impaired/],
  [probed({ report: { said: 'red', means: 'down' } }), 'service', 'warn', /says "red": it is not healthy/],
  [probed({ report: { said: 'purple', means: 'unknown' } }), 'service', 'warn', /"purple"\. Barograph does not know/],
  [probed({ report: { said: 'hello', means: 'alive' } }), 'service', 'ok', /it is alive, and says nothing/],
  [probed({ report: { said: null, means: 'alive' } }), 'service', 'ok', /12 ms\. It says nothing about its health/],
  [probed({ progress: { at: 0, passed: 0, expected: 2_000 } }), 'clock of the service', 'fail', /stands still at 1970/],
  [probed({ skew: null }), 'clock', 'warn', /does not report its time/],
  [probed({ skew: { ms: 5_001, within: 100 } }), 'clock', 'warn', /5\.0 s ahead of/],
  [probed({ skew: { ms: -90_000, within: 100 } }), 'clock', 'warn', /90\.0 s behind/],
  [probed({ skew: { ms: -5_000, within: 0 } }), 'clock', 'ok', /within 5\.0 s/],
  [probed({ events: wrong('forbidden', 403) }), 'key accepted', 'fail', /knows the key and refuses/],
  [probed({ events: wrong('rate_limited', 429) }), 'key accepted', 'warn', /could not be tested/],
  [probed({ events: wrong('unavailable', 503) }), 'key accepted', 'warn', /could not be tested/],
  [probed({ events: wrong('unauthorized', 401) }), 'key accepted', 'fail', /does not accept this key/],
  [
    { ...probed({ events: wrong('unauthorized', 401) }), mode: 'proxy', key: null },
    'key accepted',
    'fail',
    /dashboard's signature/,
  ],
  [probed({ events: wrong('not_found', 404) }), 'completeness', 'warn', /nothing proves that none is missing/],
  [probed({ stream: { late: 3_000 } }), 'stream', 'warn', /no data arrived within 3\.0 s/],
  [
    probed({ stream: wrong('unreadable', 200, 'It is a page.') }),
    'stream',
    'warn',
    /It is a page\. Barograph polls every few seconds/,
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

test('a service that does not answer has no further findings', () => {
  const found = profileFindings({
    ...SOUND,
    ...probed({ health: wrong('timeout'), events: null, stream: null, skew: null }),
  });
  expect(found.map(({ name }) => name)).toEqual(['key', 'service']);
});
