// Main, core: makes, reads and removes the relay's subscription at the service; stores its secret.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { refused } from '../../../shared/channels/channel.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { IDEMPOTENCY_HEADER } from '../../../shared/wire/subscriptions.ts';
import type { SecretStore } from './secrets.ts';
import type { RelayStore } from './store.ts';

/** A subscription as any service may describe it (docs/contract.md 31). */
const SubscriptionSchema = z.object({
  id: z
    .union([z.string().min(1).max(128), z.number().transform(String)])
    .nullable()
    .catch(null),
  url: z.string().nullable().catch(null),
  status: z.string().nullish(),
  paused_reason: z.string().nullish(),
  signing_secret: z.string().min(1).optional().catch(undefined),
  secret: z.string().min(1).optional().catch(undefined),
});
export type Subscription = z.infer<typeof SubscriptionSchema>;

const TestedSchema = z.object({
  event_id: z.string().optional().catch(undefined),
  attempts: z.array(z.object({ status: z.number().nullable(), error: z.string().nullable() })),
});

/** Result of an event that the service sent once more. */
export interface Redelivery {
  /** null: the service does not name it. */
  readonly eventId: string | null;
  readonly status: number | null;
  readonly error: Message | null;
}

export interface OwnSubscription {
  id(): string | null;
  /** Address of a subscription that the service made without an id; null: none. */
  unnamed(): string | null;
  /** The service has shown a subscription. */
  canRead(): boolean;
  /** Stores the id, and the secret if the service shows it. */
  subscribe(url: string): Promise<Result<Subscription, ServiceProblem>>;
  read(id: string): Promise<Result<Subscription, ServiceProblem>>;
  resume(id: string): Promise<Result<Subscription, ServiceProblem>>;
  /** Forgets the id when the service has deleted the subscription, or does not know it. */
  remove(id: string): Promise<Result<unknown, ServiceProblem>>;
  /**
   * Requests a second secret from the service, stores it here, then promotes it there. @throws
   * RefusedError
   */
  rotate(id: string): Promise<void>;
  /** Asks the service to send its newest event here. */
  test(id: string): Promise<Result<Redelivery, ServiceProblem>>;
}

/** The service does not know the subscription, or has no such endpoint. */
export const isNotFound = ({ kind, status }: ServiceProblem): boolean =>
  kind === 'not_found' || status === 405 || status === 410;

export function createOwnSubscription(
  client: Pick<Client, 'read'>,
  secrets: Pick<SecretStore, 'begin' | 'replace'>,
  store: Pick<RelayStore, 'getMetadata' | 'setMetadata'>,
): OwnSubscription {
  return {
    id: () => store.getMetadata('subscription'),
    unnamed: () => store.getMetadata('unnamed_subscription'),
    canRead: () => store.getMetadata('can_read') === 'yes',
    async subscribe(url) {
      // All repeats of a request without a usable answer have one key.
      const key = store.getMetadata('subscribe_key') ?? randomUUID();
      store.setMetadata('subscribe_key', key);
      const answer = await client.read('subscribe', { body: { url }, headers: { [IDEMPOTENCY_HEADER]: key } });
      const made = described(answer);
      const status = answer.ok ? null : answer.error.status;
      const isSettled = (made.ok && made.value.id !== null) || (status !== null && status < 500);
      if (!made.ok) {
        if (isSettled) store.setMetadata('subscribe_key', null);
        return made;
      }
      const secret = secretOf(made.value);
      // Before the id: a known id with the secret of an earlier subscription would refuse every delivery.
      if (secret !== null) await secrets.begin(secret);
      store.setMetadata('subscription', made.value.id);
      store.setMetadata('unnamed_subscription', made.value.id === null && secret !== null ? url : null);
      if (isSettled) store.setMetadata('subscribe_key', null);
      return made;
    },
    async read(id) {
      const read = described(await client.read('subscription', { params: { id } }));
      if (read.ok) store.setMetadata('can_read', 'yes');
      return read;
    },
    resume: async (id) => described(await client.read('resumeSubscription', { params: { id }, body: {} })),
    async remove(id) {
      const removed = await client.read('deleteSubscription', { params: { id } });
      if (removed.ok || isNotFound(removed.error)) store.setMetadata('subscription', null);
      return removed;
    },
    async rotate(id) {
      const rotated = described(await client.read('rotateSecret', { params: { id } }));
      if (!rotated.ok) throw refused(plainMessage(rotated.error.message));
      const secret = secretOf(rotated.value);
      if (secret === null) throw refused(message('subscription.no_secret'));
      await secrets.replace(secret);
      const promoted = await client.read('promoteSecret', { params: { id } });
      if (!promoted.ok) throw refused(message('relay.old_secret', { error: promoted.error.message }));
    },
    async test(id) {
      const answer = await client.read('testSubscription', { params: { id } });
      if (!answer.ok) return answer;
      const delivery = TestedSchema.safeParse(answer.value.value);
      if (!delivery.success)
        return err(problem('unreadable', 'The service answered in a way that cannot be read.', 200));
      const { attempts, event_id: eventId = null } = delivery.data;
      const last = attempts.at(-1);
      if (last === undefined) return ok({ eventId, status: null, error: message('relay.nothing_sent') });
      return ok({ eventId, status: last.status, error: last.error === null ? null : plainMessage(last.error) });
    },
  };
}

const secretOf = ({ signing_secret, secret }: Subscription): string | null => signing_secret ?? secret ?? null;

function described(answer: Awaited<ReturnType<Client['read']>>): Result<Subscription, ServiceProblem> {
  if (!answer.ok) return answer;
  const parsed = SubscriptionSchema.safeParse(answer.value.value);
  return parsed.success
    ? ok(parsed.data)
    : err(problem('unreadable', 'The service describes the subscription in a way that cannot be read.', 200));
}
