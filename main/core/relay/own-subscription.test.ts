// Test: the order in which a new subscription is stored.
import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { createOwnSubscription } from './own-subscription.ts';

test('the secret is stored before the id: a crash between never leaves a subscription with an older secret', async () => {
  const written: string[] = [];
  const answer = ok({ status: 201, value: { id: 'sub_1', url: 'http://127.0.0.1:4781/in/x', signing_secret: 'new' } });
  const subscription = createOwnSubscription(
    { read: async () => answer } as unknown as Parameters<typeof createOwnSubscription>[0],
    { begin: async (secret) => void written.push(`secret ${secret}`), replace: async () => undefined },
    { getMetadata: () => null, setMetadata: (name, value) => void written.push(`${name} ${value}`) },
  );
  expect((await subscription.subscribe('http://127.0.0.1:4781/in/x')).ok).toBe(true);
  expect(written.filter((line) => /^(secret|subscription) /.test(line))).toEqual(['secret new', 'subscription sub_1']);
  // The idempotency key is kept until then: the same request after a crash makes no second subscription.
  expect([written[0], written.at(-1)]).toEqual([expect.stringMatching(/^subscribe_key .{36}$/), 'subscribe_key null']);
});
