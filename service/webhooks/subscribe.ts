// Service, webhooks: POST /signals/subscribe, which is idempotent and shows a new secret once.

import type { Clock } from '../../shared/lib/clock.ts';
import { EVENT_NAMES } from '../../shared/wire/events.ts';
import type { SubscribeBody, SubscribeReply } from '../../shared/wire/subscriptions.ts';
import { ANSWER_RETENTION_MS, usedOtherwise } from '../idempotency.ts';
import type { WorldClock } from '../market/world-clock.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import { subscriptionRecord } from './records.ts';
import { SECRET_BYTES } from './signature.ts';
import { reach, type TargetRules } from './target.ts';

const MAX_PER_OWNER = 100;
/** A name that does not resolve in this time is checked before the first delivery. */
const RESOLVE_LIMIT_MS = 2_000;

export interface SubscribeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: WorldClock;
  readonly randomBytes: (count: number) => Buffer;
  readonly rules: TargetRules;
  /** False for a symbol outside the universe. */
  readonly covers: (symbol: string) => boolean;
}

export interface SubscribeAnswer {
  /** False for an existing subscription. */
  readonly created: boolean;
  readonly subscription: SubscribeReply;
}

type SubscriptionRequest = Pick<StoredSubscription, 'url' | 'events' | 'symbols' | 'target'>;

export type SubscribeHandler = (
  owner: string,
  body: SubscribeBody,
  idempotencyKey: string | undefined,
) => Promise<SubscribeAnswer>;

/**
 * @throws Refusal invalid_request for a forbidden target, symbol_not_covered for a symbol that can have no
 *   events
 */
export function createSubscribe({ store, clock, world, randomBytes, rules, covers }: SubscribeDeps): SubscribeHandler {
  const { subscriptions } = store;

  const answered = (owner: string, key: string, target: string): SubscribeAnswer | null => {
    const stored = subscriptions.answerFor(owner, key, clock.now() - ANSWER_RETENTION_MS);
    if (stored === null) return null;
    if (stored.request !== target) throw usedOtherwise();
    return { created: stored.created, subscription: JSON.parse(stored.answer) as SubscribeReply };
  };

  const add = (owner: string, request: SubscriptionRequest): SubscribeAnswer => {
    const known = subscriptions.findTarget(owner, request.target);
    if (known !== null) return { created: false, subscription: subscriptionRecord(known) };
    if (subscriptions.count(owner) >= MAX_PER_OWNER) {
      throw new Refusal(
        'invalid_request',
        `There are ${MAX_PER_OWNER} subscriptions, which is the most. Delete one, then try again.`,
      );
    }
    const id = `sub_${randomBytes(12).toString('hex')}`;
    const secret = randomBytes(SECRET_BYTES).toString('base64');
    subscriptions.add({ ...request, id, owner, secret, createdAt: world.now(), position: store.log.lastSeq() });
    const made = subscriptions.find(id);
    if (made === null) throw new Error(`subscription ${id} is not there after it was added`);
    return { created: true, subscription: { ...subscriptionRecord(made), signing_secret: secret } };
  };

  return async (owner, body, idempotencyKey) => {
    const request = requestOf(body);
    await assertAllowed(new URL(request.url), rules, clock);
    const unknown = request.symbols?.find((symbol) => !covers(symbol));
    if (unknown !== undefined) {
      throw new Refusal(
        'symbol_not_covered',
        `${unknown} is outside the covered universe. GET /snapshot lists what is covered.`,
      );
    }
    // No await from here on: two equal concurrent requests run one after the other.
    return store.transaction(() => {
      if (idempotencyKey === undefined) return add(owner, request);
      subscriptions.pruneAnswers(clock.now() - ANSWER_RETENTION_MS);
      const before = answered(owner, idempotencyKey, request.target);
      if (before !== null) return before;
      const answer = add(owner, request);
      subscriptions.keepAnswer(owner, idempotencyKey, answer.subscription.id, clock.now(), {
        request: request.target,
        created: answer.created,
        answer: JSON.stringify(answer.subscription),
      });
      return answer;
    });
  };
}

function requestOf({ url, events, symbols }: SubscribeBody): SubscriptionRequest {
  const requested = new Set<string>(events ?? EVENT_NAMES);
  const names = EVENT_NAMES.filter((name) => requested.has(name));
  const only = symbols === null || symbols === undefined ? null : [...new Set(symbols)].sort();
  return { url, events: names, symbols: only, target: JSON.stringify([new URL(url).href, names, only]) };
}

async function assertAllowed(url: URL, rules: TargetRules, clock: Clock): Promise<void> {
  const limited: TargetRules = {
    ...rules,
    resolve: (name) =>
      new Promise((resolve, reject) => {
        const cancel = clock.after(RESOLVE_LIMIT_MS, () => reject(new Error('no answer')));
        rules.resolve(name).then(resolve, reject).finally(cancel);
      }),
  };
  const reached = await reach(url, limited);
  if (!reached.ok && reached.error.why === 'forbidden')
    throw new Refusal('invalid_request', `url: ${reached.error.message}.`);
}
