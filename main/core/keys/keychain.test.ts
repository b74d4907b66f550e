// Test: the keychain process: one request each, killed when late, every failure a message.
import { expect, test, vi } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import type { ChildProcess } from '../ports.ts';
import { createKeychain, KEYCHAIN_LIMIT } from './keychain.ts';
import type { KeychainRequest } from './keychain-messages.ts';
import { VaultError } from './vault-error.ts';

const KEY = 'svc_live_plantedplantedplanted0002';

/** @param answer the process's answer to a request; null: none */
function rig(answer: (request: KeychainRequest) => unknown, platform: NodeJS.Platform = 'linux') {
  const clock = createManualClock();
  const killed = vi.fn();
  const requests: KeychainRequest[] = [];
  let end: (why: string) => void = () => undefined;
  const start = (): ChildProcess<KeychainRequest> => {
    let reply: (message: unknown) => void = () => undefined;
    return {
      send(request) {
        requests.push(request);
        const message = answer(request);
        if (message !== null) queueMicrotask(() => reply(message));
      },
      onReply: (listener) => {
        reply = listener;
      },
      onEnd: (listener) => {
        end = listener;
      },
      kill: killed,
    };
  };
  return { clock, killed, requests, vault: createKeychain({ start, clock, platform }), end: (why: string) => end(why) };
}

test('the four verbs are four requests, each to a process that ends afterwards', async () => {
  const {
    vault,
    requests: asked,
    killed,
  } = rig((request) => {
    if (request.verb === 'get') return { verb: 'get', password: KEY };
    if (request.verb === 'delete') return { verb: 'delete', deleted: true };
    return request.verb === 'find' ? { verb: 'find', found: [{ account: 'a', password: KEY }] } : { verb: 'set' };
  });
  await vault.setPassword('s', 'a', KEY);
  expect(await vault.getPassword('s', 'a')).toBe(KEY);
  expect(await vault.findCredentials('s')).toEqual([{ account: 'a', password: KEY }]);
  expect(await vault.deletePassword('s', 'a')).toBe(true);
  expect(asked.map(({ verb }) => verb)).toEqual(['set', 'get', 'find', 'delete']);
  expect(killed).toHaveBeenCalledTimes(4);
});

test('a silent process is killed at its deadline, and a late answer changes nothing', async () => {
  const { vault, clock, killed } = rig(() => null);
  const pending = vault.getPassword('s', 'a').then(String, (error) => error);
  await clock.advance(KEYCHAIN_LIMIT - 1);
  expect(killed).not.toHaveBeenCalled();
  await clock.advance(1);
  const failure = await pending;
  expect(failure).toBeInstanceOf(VaultError);
  expect(failure).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('did not answer within 20 s'),
  });
  expect(killed).toHaveBeenCalledOnce();
});

test.each([
  ['a failure in its own words', { verb: 'failed', message: 'no\nbus. ' }, /cannot be used: no bus\.$/],
  ['nonsense', { password: KEY }, /its answer cannot be read/],
  ['the answer to another question', { verb: 'set' }, /it answered another request/],
])('%s is an error that contains no key', async (_, message, expected) => {
  const { vault } = rig(() => message);
  const failure = await vault.getPassword('s', 'a').catch((problem) => problem);
  expect(failure).toBeInstanceOf(VaultError);
  expect(failure.message).toMatch(expected);
  expect(failure.message).toMatch(/^The system's keychain \(Secret Service\) cannot be used/);
  expect(failure.message).not.toContain(KEY);
});

test('a process that ends before it answers is reported', async () => {
  const { vault, end } = rig(() => null);
  const pending = vault.setPassword('s', 'a', KEY).catch((problem) => problem.message);
  end('its process ended (SIGSEGV)');
  expect(await pending).toBe("The system's keychain (Secret Service) cannot be used: its process ended (SIGSEGV).");
});

test('the tier has the platform’s name for it', () => {
  const names = (['linux', 'darwin', 'win32', 'freebsd'] as const).map((platform) =>
    textOf(rig(() => null, platform).vault.tier),
  );
  expect(names).toEqual([
    "the system's keychain (Secret Service)",
    "the system's keychain (macOS Keychain)",
    "the system's keychain (Windows Credential Manager)",
    "the system's keychain (Secret Service)",
  ]);
});
