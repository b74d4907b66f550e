// Test: the service proves that it knows a key; keys cannot be enumerated, nor proofs reused.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyIdOf, proofText } from '../../shared/wire/proof.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../../test/harness/sandbox.ts';

let sandbox: Sandbox;
let url: URL;
beforeAll(async () => {
  sandbox = await startSandbox();
  url = new URL(await sandbox.service.app.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(() => sandbox.service.close());

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const nonceOf = (): string => randomBytes(32).toString('hex');

/** Whether the service's answer verifies under this key. */
async function proves(key: string, origin = url.origin, nonce = nonceOf()): Promise<boolean> {
  const id = keyIdOf(digestOf(key));
  const answer = await fetch(new URL(`/proof?${new URLSearchParams({ key: id, nonce, origin })}`, url));
  expect(answer.status).toBe(200);
  const body = await answer.json();
  expect(body).toEqual({ proof: expect.stringMatching(/^[0-9a-f]{64}$/) });
  return (
    body.proof ===
    createHmac('sha256', digestOf(key))
      .update(proofText(origin, id, nonce))
      .digest('hex')
  );
}

describe('a proof', () => {
  test('verifies under the key that the service knows, and under no other', async () => {
    expect(await proves(SANDBOX_KEY)).toBe(true);
    expect(await proves('svc_test_nobodysnobodys0001')).toBe(false);
  });

  test('holds for the address of its own connection alone', async () => {
    for (const origin of [
      `http://127.0.0.1:${Number(url.port) - 1}`,
      `http://127.0.0.2:${url.port}`,
      `http://[::1]:${url.port}`,
      `https://127.0.0.1:${url.port}`,
      `http://attacker.example:${url.port}`,
      `${url.origin}/`,
      'nothing',
    ])
      expect([origin, await proves(SANDBOX_KEY, origin)]).toEqual([origin, false]);
    expect(await proves(SANDBOX_KEY, `http://localhost:${url.port}`)).toBe(true);
  });

  test('a proof of an unknown key is the same every time, like that of a known one', async () => {
    const nonce = nonceOf();
    const ask = async (key: string): Promise<unknown> =>
      (await sandbox.get(`/proof?${new URLSearchParams({ key, nonce, origin: url.origin })}`)).body;
    expect(await ask('key_000000000000')).toEqual(await ask('key_000000000000'));
    expect(await ask('key_000000000000')).not.toEqual(await ask('key_000000000001'));
  });

  test('a proof never contains a key itself', async () => {
    const answer = await sandbox.get(`/proof?key=${SANDBOX_KEY}&nonce=${nonceOf()}&origin=${url.origin}`);
    expect([answer.status, answer.text.includes(SANDBOX_KEY)]).toEqual([400, false]);
  });
});

test('a proof is given however often an address asks: another program cannot keep the key out', {
  tags: ['long'],
}, async () => {
  const { service, get } = await startSandbox({ plans: { enforced: true } });
  const path = `/proof?key=key_0123456789ab&nonce=${nonceOf()}&origin=http://127.0.0.1:1`;
  const statuses = new Set<number>();
  for (let call = 0; call < 300; call += 1) statuses.add((await get(path)).status);
  expect([...statuses]).toEqual([200]);
  await service.close();
});
