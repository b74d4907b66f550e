// Test: the small rules of the relay: age, targets, refusals, secrets.

import { expect, test } from 'vitest';
import { message } from '../../../shared/text/message.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createSessionVault } from '../keys/session-vault.ts';
import { createRefusals } from './activity.ts';
import { classifyAge } from './delivery.ts';
import { createSecretStore, RELAY_ACCOUNT } from './secrets.ts';
import { isNear, passes, targetProblem } from './target.ts';

const NO = message('signature.wrong');
const HOUR = 3_600_000;

test.each([
  [0, 1, 'fresh'],
  [-5 * 60_000, 1, 'fresh'],
  [-5 * 60_000 - 1, 1, 'ahead'],
  // Ten seconds in transit are ten hours there.
  [-10 * HOUR, 3_600, 'fresh'],
  [25 * HOUR, 1, 'fresh'],
  [25 * HOUR + 1, 1, 'late'],
  [30 * 24 * HOUR + 1, 1, 'too_old'],
])('an age of %i ms at speed %i is %s', (age, speed, expected) => {
  const now = Date.parse('2026-03-02T14:30:00.000Z');
  expect(classifyAge(now - age, { now, speed })).toBe(expected);
});

test('addresses of this computer and of networks that the Internet does not route are near', () => {
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
  ['http://127.0.0.1:0/hook', false, /port 0 is none/],
])('the target %s, public ones allowed: %s', (url, allowed, problem) => {
  const found = targetProblem(url, allowed, 4781);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toEqual(saying(problem));
});

test('a filter excludes only by the fields that it names', () => {
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
  const delivery = { headers: {}, body: Buffer.from('{}') };
  const first = refusals.note('wrong_signature', NO, delivery);
  for (let count = 0; count < 1_000; count += 1) refusals.note('wrong_path', message('refusal.wrong_path'));
  expect(refusals.list()).toMatchObject([
    { reason: 'wrong_path', times: 1_000 },
    { id: first.id, reason: 'wrong_signature', examinable: true },
  ]);
  expect(refusals.delivery(first.id)).toEqual(delivery);
  for (let count = 0; count < 60; count += 1) refusals.note('wrong_signature', NO, delivery);
  expect(refusals.list()).toHaveLength(50);
  expect(refusals.delivery(first.id)).toBeNull();
  expect(refusals.note('wrong_signature', NO, { headers: {}, body: Buffer.alloc(65_537) }).examinable).toBe(false);
});

test('two secrets are valid while the service changes over, and a day longer', async () => {
  const vault = createSessionVault();
  const secrets = createSecretStore(vault, 'desk', { info: () => undefined }, () => undefined);
  const liveSecrets = (now: number): string[] =>
    secrets.live(now).map(({ generation, text }) => `${generation} ${text}`);
  await secrets.load();
  expect(liveSecrets(0)).toEqual([]);
  await secrets.begin('first');
  await secrets.proven({ generation: 'current', scheme: 'service', form: 'hex' }, 0);
  expect(secrets.form()).toBe('hex');
  await secrets.replace('second');
  expect(liveSecrets(100 * HOUR)).toEqual(['current second', 'previous first']);
  expect(secrets.form()).toBeNull();
  // With the old secret in X-Service-Signature the service has not changed over.
  await secrets.proven({ generation: 'previous', scheme: 'standard', form: 'hex' }, 100 * HOUR);
  await secrets.proven({ generation: 'current', scheme: 'standard', form: null }, 100 * HOUR);
  expect(liveSecrets(200 * HOUR)).toHaveLength(2);
  await secrets.proven({ generation: 'current', scheme: 'service', form: 'hex' }, 200 * HOUR);
  expect(liveSecrets(224 * HOUR)).toHaveLength(2);
  expect(liveSecrets(226 * HOUR)).toEqual(['current second']);
  expect(secrets.retired(226 * HOUR)).toEqual(['first']);

  const again = createSecretStore(vault, 'desk', { info: () => undefined }, () => undefined);
  await again.load();
  expect(again.path()).toBe(secrets.path());
  expect(again.live(226 * HOUR)).toEqual(secrets.live(226 * HOUR));
  await vault.setPassword('desk', RELAY_ACCOUNT, 'garbage');
  const reopened = createSecretStore(vault, 'desk', { info: () => undefined }, () => undefined);
  await reopened.load();
  expect(reopened.path()).not.toBe(secrets.path());
  expect(reopened.live(0)).toEqual([]);
});

test('a vault that fails costs the next run its secret, and this one nothing', async () => {
  const problems: string[] = [];
  const fail = async (): Promise<never> => {
    throw new Error('locked');
  };
  const secrets = createSecretStore(
    { ...createSessionVault(), getPassword: fail, setPassword: fail },
    'desk',
    {
      info: (values) => void problems.push(JSON.stringify(values)),
    },
    () => undefined,
  );
  await secrets.load();
  expect(problems).toHaveLength(1);
  await secrets.begin('first');
  await secrets.proven({ generation: 'current', scheme: 'service', form: 'hex' }, 0);
  expect([secrets.live(0), secrets.form()]).toEqual([[{ generation: 'current', text: 'first' }], 'hex']);
  expect(problems).toContain('{"problem":"locked"}');
});

test('a vault that failed is asked again before a save, and its item is not overwritten', async () => {
  const vault = createSessionVault();
  const earlier = createSecretStore(vault, 'desk', { info: () => undefined }, () => undefined);
  await earlier.load();
  await earlier.begin('first');
  let isOpen = false;
  let late = 0;
  const locked = {
    ...vault,
    getPassword: (service: string, account: string) =>
      isOpen ? vault.getPassword(service, account) : Promise.reject(new Error('locked')),
  };
  const secrets = createSecretStore(locked, 'desk', { info: () => undefined }, () => {
    late += 1;
  });
  await secrets.load();
  const path = secrets.path();
  expect(path).not.toBe(earlier.path());
  // The vault can be written, but still not read.
  await secrets.begin('second');
  const stored = async (): Promise<unknown> => JSON.parse((await vault.getPassword('desk', RELAY_ACCOUNT)) ?? '');
  expect(await stored()).toMatchObject({ path: earlier.path(), current: 'first' });
  expect([secrets.path(), secrets.live(0), late]).toEqual([path, [{ generation: 'current', text: 'second' }], 0]);
  isOpen = true;
  await secrets.replace('third');
  expect(late).toBe(1);
  expect(secrets.path()).toBe(earlier.path());
  expect(await stored()).toMatchObject({ path: earlier.path(), current: 'third', previous: 'first' });
  await secrets.reload();
  expect(late).toBe(1);
});
