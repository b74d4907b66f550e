// Test: the findings on a profile's files and webhooks.
import { expect, test } from 'vitest';
import { type StoresInspection, storesFindings } from './store-findings.ts';

const NO_GAPS = { open: 0, since: null, lost: 0, unreadable: { count: 0, last: '' }, odd: null };
const STORE = { bytes: 2 * 1024 ** 2, integrity: { kind: 'sound' } } as const;
const SOUND: StoresInspection = {
  disk: null,
  ledger: STORE,
  archive: STORE,
  loss: null,
  gaps: NO_GAPS,
  questions: [],
  stateWords: [],
  store: null,
  backup: { day: '2026-03-01', age: 1 },
  relay: { on: true, port: 4781, isFree: false, isPublic: false, runs: true, listening: null },
};
const { relay } = SOUND;
const NEXT_PORT = { address: 'http://127.0.0.1:4782', as_configured: false };

test('a profile without a problem has five findings, and each is ok', () => {
  expect(storesFindings(SOUND).map(({ name, status }) => [name, status])).toEqual(
    ['ledger', 'archive', 'gaps', 'backup', 'webhooks'].map((name) => [name, 'ok']),
  );
});

const CASES: readonly [Partial<StoresInspection>, string, 'ok' | 'warn' | 'fail', RegExp][] = [
  [{ disk: 'read_only' }, 'disk', 'fail', /cannot be written\. Alerts are shown from memory/],
  [{ disk: 'locked' }, 'disk', 'fail', /Another program has locked the ledger/],
  [{ archive: { bytes: null, integrity: { kind: 'sound' } } }, 'archive', 'ok', /none yet/],
  [
    { ledger: { ...STORE, integrity: { kind: 'damaged', why: 'page 3' } } },
    'ledger',
    'fail',
    /damaged \(page 3\); 2\.0 MB/,
  ],
  [
    { archive: { ...STORE, integrity: { kind: 'unread', why: 'it is large' } } },
    'archive',
    'warn',
    /not checked: it is large/,
  ],
  [{ ledger: { bytes: 0, integrity: { kind: 'lost', how: 'missing' } } }, 'ledger', 'fail', /missing, although/],
  [
    { loss: { at: '2026-03-02T00:00:00.000Z', what: 'It was removed.' } },
    'ledger',
    'warn',
    /intact.*On 2026-03-02: It was removed/,
  ],
  [
    { gaps: { ...NO_GAPS, open: 1, since: '2026-03-01T00:00:00.000Z' } },
    'gaps',
    'warn',
    /One is open, since 2026-03-01T/,
  ],
  [{ gaps: { ...NO_GAPS, lost: 2 } }, 'gaps', 'ok', /None is open\. The service itself has no record of 2 more\./],
  [
    { gaps: { ...NO_GAPS, unreadable: { count: 1, last: 'Why.' } } },
    'unreadable',
    'warn',
    /One gap .* not be read\. Why\./,
  ],
  [{ gaps: { ...NO_GAPS, odd: 'An id came again.' } }, 'odd events', 'warn', /An id came again/],
  [
    { questions: ['AAPL 2026-03-02'] },
    'price',
    'warn',
    /AAPL 2026-03-02 needs a decision: it may be a fault of the data, and counts until then/,
  ],
  [{ backup: null }, 'backup', 'warn', /none yet/],
  [{ backup: { day: '2026-02-01', age: 28 } }, 'backup', 'warn', /28 days old/],
  [
    { relay: { ...relay, listening: { ...NEXT_PORT, as_configured: true } } },
    'webhooks',
    'ok',
    /listens at its port 4781/,
  ],
  [
    { relay: { ...relay, listening: NEXT_PORT } },
    'webhooks',
    'ok',
    /another program holds .* 4781, so it listens at .*:4782/,
  ],
  [
    { relay: { ...relay, isFree: true, listening: NEXT_PORT } },
    'webhooks',
    'ok',
    /another program held .* 4781, so it/,
  ],
  [{ relay: { ...relay, isPublic: true, listening: NEXT_PORT } }, 'webhooks', 'warn', /so it listens at .*:4782/],
  [{ relay: { ...relay, on: false } }, 'webhooks', 'ok', /switched off/],
  [{ relay: { ...relay, port: 0 } }, 'webhooks', 'ok', /any free port/],
  [{ relay: { ...relay, isFree: true } }, 'webhooks', 'warn', /nothing listens at its port 4781/],
  [{ relay: { ...relay, runs: false, isFree: true } }, 'webhooks', 'ok', /4781 is free/],
  [{ relay: { ...relay, runs: false } }, 'webhooks', 'ok', /another program holds its port 4781/],
  [{ relay: { ...relay, runs: false, isPublic: true } }, 'webhooks', 'warn', /another program holds its port 4781/],
];
test.each(CASES)('%j', (change, name, status, text) => {
  const found = storesFindings({ ...SOUND, ...change });
  expect(found.filter((one) => one.status !== 'ok').map((one) => one.name)).toEqual(status === 'ok' ? [] : [name]);
  const finding = found.find((one) => one.name === name);
  expect(finding).toMatchObject({ status, found: expect.stringMatching(text) });
  expect(finding?.cure === null).toBe(status === 'ok');
});

test('without a ledger there are no findings about gaps and backups', () => {
  const found = storesFindings({
    ...SOUND,
    ledger: { bytes: null, integrity: { kind: 'sound' } },
    gaps: null,
    backup: null,
  });
  expect(found.map(({ name }) => name)).toEqual(['ledger', 'archive', 'webhooks']);
});
