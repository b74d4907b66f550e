// Test: the small rules of the relay: how old a delivery may be, where events may go, what is kept of refusals, which secrets are good.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createSessionVault } from '../host/secrets.ts';
import { judgeAge } from './age.ts';
import { createRefusals } from './refusals.ts';
import { createSecretBook, RELAY_ACCOUNT } from './secrets.ts';
import { isNear, passes, targetProblem } from './target.ts';

const HOUR = 3_600_000;

test.each([
  [0, 1, 'fresh'],
  [-5 * 60_000, 1, 'fresh'],
  [-5 * 60_000 - 1, 1, 'ahead'],
  // Ten seconds on the way are ten hours there.
  [-10 * HOUR, 3_600, 'fresh'],
  [25 * HOUR, 1, 'fresh'],
  [25 * HOUR + 1, 1, 'late'],
  [30 * 24 * HOUR + 1, 1, 'too_old'],
])('an age of %i ms at speed %i is %s', (age, speed, verdict) => {
  const now = Date.parse('2026-03-02T14:30:00.000Z');
  expect(judgeAge(now - age, { now, speed })).toBe(verdict);
});

test('near is this computer and the networks that the Internet does not route', () => {
  const near = [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '10.1.2.3',
    '192.168.1.1',
    '172.16.0.1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '100.64.0.1',
  ];
  const far = [
    '8.8.8.8',
    '169.254.169.254',
    '0.0.0.0',
    '172.32.0.1',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    'fe80::1',
    'x',
  ];
  expect(near.filter((address) => !isNear(address))).toEqual([]);
  expect(far.filter((address) => isNear(address))).toEqual([]);
});

test.each([
  ['http://127.0.0.1:9000/hook', false, null],
  ['http://localhost:4781/in', false, /relay itself/],
  ['http://127.0.0.1:4781/', true, /relay itself/],
  ['http://[::1]:4781/', true, /relay itself/],
  ['http://2130706433:4781/', true, /relay itself/],
  ['http://192.168.1.1:4781/', false, null],
  ['https://8.8.8.8/', false, /neither this computer/],
  ['https://8.8.8.8/', true, null],
  ['http://169.254.169.254/latest', false, /neither this computer/],
  ['ftp://127.0.0.1/', false, /must begin with/],
  ['http://u:p@127.0.0.1/', false, /contains a password/],
  ['nonsense', false, /not a web address/],
])('the target %s, with more allowed: %s', (url, allowed, problem) => {
  const found = targetProblem(url, allowed, 4781);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

test('a filter leaves out what it names only', () => {
  const all = { events: null, symbols: null, states: null };
  const high = { event: 'signal.high_risk', symbol: 'SPY', state: 2 } as const;
  const flip = { event: 'regime.flip', symbol: 'SPY', state: null };
  const model = { event: 'model.version', symbol: null, state: null };
  expect([high, flip, model].map((one) => passes(all, one))).toEqual([true, true, true]);
  expect([high, flip, model].map((one) => passes({ ...all, events: ['signal.high_risk'] }, one))).toEqual([
    true,
    false,
    false,
  ]);
  expect([high, flip, model].map((one) => passes({ ...all, symbols: ['QQQ'] }, one))).toEqual([false, false, true]);
  expect([high, flip, model].map((one) => passes({ ...all, states: [0, 1] }, one))).toEqual([false, true, true]);
});

test('a flood of refusals is one line, and never more than fifty are kept', () => {
  const refusals = createRefusals(createManualClock());
  const exhibit = { headers: {}, body: Buffer.from('{}') };
  const first = refusals.note('wrong_signature', 'No.', exhibit);
  for (let count = 0; count < 1_000; count += 1) refusals.note('wrong_path', 'A path.');
  expect(refusals.list()).toMatchObject([
    { reason: 'wrong_path', times: 1_000 },
    { id: first.id, reason: 'wrong_signature', examinable: true },
  ]);
  expect(refusals.exhibit(first.id)).toEqual(exhibit);
  for (let count = 0; count < 60; count += 1) refusals.note('wrong_signature', 'No.', exhibit);
  expect(refusals.list()).toHaveLength(50);
  expect(refusals.exhibit(first.id)).toBeNull();
  expect(refusals.note('wrong_signature', 'No.', { headers: {}, body: Buffer.alloc(65_537) }).examinable).toBe(false);
});

test('two secrets are good while the service changes over, and a day longer', async () => {
  const vault = createSessionVault();
  const book = createSecretBook(vault, 'desk', () => undefined);
  const slots = (now: number): string[] => book.live(now).map(({ slot, text }) => `${slot} ${text}`);
  await book.load();
  expect(slots(0)).toEqual([]);
  await book.begin('first');
  await book.proven({ slot: 'current', scheme: 'service', form: 'hex' }, 0);
  expect(book.form()).toBe('hex');
  await book.replace('second');
  expect(slots(100 * HOUR)).toEqual(['current second', 'previous first']);
  expect(book.form()).toBeNull();
  // The old one in X-Service-Signature, the new one in webhook-signature: it has not changed over.
  await book.proven({ slot: 'previous', scheme: 'standard', form: 'hex' }, 100 * HOUR);
  await book.proven({ slot: 'current', scheme: 'standard', form: null }, 100 * HOUR);
  expect(slots(200 * HOUR)).toHaveLength(2);
  await book.proven({ slot: 'current', scheme: 'service', form: 'hex' }, 200 * HOUR);
  expect(slots(224 * HOUR)).toHaveLength(2);
  expect(slots(226 * HOUR)).toEqual(['current second']);
  expect(book.retired(226 * HOUR)).toEqual(['first']);

  const again = createSecretBook(vault, 'desk', () => undefined);
  await again.load();
  expect(again.path()).toBe(book.path());
  expect(again.live(226 * HOUR)).toEqual(book.live(226 * HOUR));
  await vault.setPassword('desk', RELAY_ACCOUNT, 'garbage');
  const anew = createSecretBook(vault, 'desk', () => undefined);
  await anew.load();
  expect(anew.path()).not.toBe(book.path());
  expect(anew.live(0)).toEqual([]);
});

test('a vault that fails costs the next run its secret, and this one nothing', async () => {
  const problems: string[] = [];
  const fail = async (): Promise<never> => {
    throw new Error('locked');
  };
  const book = createSecretBook({ ...createSessionVault(), getPassword: fail, setPassword: fail }, 'desk', (words) =>
    problems.push(words),
  );
  await book.load();
  await book.begin('first');
  await book.proven({ slot: 'current', scheme: 'service', form: 'hex' }, 0);
  expect([book.live(0), book.form()]).toEqual([[{ slot: 'current', text: 'first' }], 'hex']);
  expect(problems).toContain('locked');
});
