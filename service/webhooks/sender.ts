// Service, webhooks: one signed request to a subscription.
import type { Clock } from '../../shared/lib/clock.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import type { Post } from './post.ts';
import { signatureHeaders } from './signature.ts';

export type Sender = (
  subscription: StoredSubscription,
  eventId: string,
  body: string,
  signal: AbortSignal,
) => Promise<Attempt>;

export interface SenderDeps {
  readonly post: Post;
  /** The wall clock: signatures carry its time. */
  readonly clock: Clock;
  /** The clock of the retries. */
  readonly pace: Clock;
  readonly userAgent: string;
}

export const createSender =
  ({ post, clock, pace, userAgent }: SenderDeps): Sender =>
  ({ url, secret, nextSecret }, eventId, body, signal) => {
    const at = pace.now();
    const signature = signatureHeaders({ eventId, body, at: clock.now(), secret, nextSecret });
    const headers = { ...signature, 'user-agent': userAgent };
    return post({ url, body, signal, headers }).then((receipt) => ({ at, ...receipt }));
  };
