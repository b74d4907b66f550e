// Main, core: keeps the subscription at the service correct: address, active, secret known here.
// It checks regularly, so that a subscription that was removed, paused or redirected is repaired.
import { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Guard } from '../guard.ts';
import type { SecretStore } from './secrets.ts';
import type { RelayStore } from './store.ts';

export type Registration = RelayView['registration'];

/** Result of an event that the service sent once more. */
export interface Redelivery {
  /** null: the service does not name it. */
  readonly eventId: string | null;
  readonly status: number | null;
  readonly error: string | null;
}

export interface Registrar {
  /** Checks now, and regularly from now on. */
  check(): void;
  /** Deletes the subscription if there is one. Waits for the service no longer than the client does. */
  withdraw(): Promise<void>;
  /** Ends the checks; the subscription remains. */
  stop(): void;
  /**
   * Requests a second secret from the service, stores it here, then promotes it there. @throws Error with a
   * message for the user
   */
  rotate(): Promise<void>;
  /** Asks the service to send its newest event here. */
  test(): Promise<Result<Redelivery, ServiceProblem>>;
  view(): Registration;
}

export interface RegistrarOptions {
  readonly client: Pick<Client, 'read'>;
  readonly guard: Guard;
  readonly random: () => number;
  /** Interval of the checks, ms. A check is one call. */
  readonly cadence: number;
  readonly secrets: SecretStore;
  readonly store: Pick<RelayStore, 'getMetadata' | 'setMetadata'>;
  /** Address to register; null: the service cannot reach this computer. */
  readonly url: () => string | null;
  /** This computer listens. */
  readonly isOn: () => boolean;
  /** The user enabled the relay, although it may not listen yet. */
  readonly isEnabled: () => boolean;
  /** False while no request may be sent. */
  readonly mayAsk: () => boolean;
  readonly onChanged: () => void;
}

const RETRY = { base: 2_000, cap: 60_000 };

/** A subscription as any service may describe it (docs/contract.md 31). */
const SubscriptionSchema = z.object({
  id: z.string().min(1).max(64),
  url: z.string(),
  status: z.string().nullish(),
  paused_reason: z.string().nullish(),
  signing_secret: z.string().min(1).optional().catch(undefined),
  secret: z.string().min(1).optional().catch(undefined),
});
type Subscription = z.infer<typeof SubscriptionSchema>;

const secretOf = ({ signing_secret, secret }: Subscription): string | null => signing_secret ?? secret ?? null;
const isNotFound = ({ kind, status }: ServiceProblem): boolean =>
  kind === 'not_found' || status === 405 || status === 410;

export function createRegistrar(options: RegistrarOptions): Registrar {
  const { client, guard, random, secrets, store, onChanged } = options;
  const { clock } = guard;
  let registration: Registration = {
    state: 'waiting',
    message: 'The service was not asked yet.',
    since: timestamp(clock.now()),
  };
  let failures = 0;
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  let inFlight: Promise<void> | null = null;
  let isDueAgain = false;

  const show = (state: Registration['state'], message: string): void => {
    if (registration.state === state && registration.message === message) return;
    registration = { state, message, since: timestamp(clock.now()) };
    onChanged();
  };
  const described = (answer: Awaited<ReturnType<Client['read']>>): Result<Subscription, ServiceProblem> => {
    if (!answer.ok) return answer;
    const parsed = SubscriptionSchema.safeParse(answer.value.value);
    return parsed.success
      ? ok(parsed.data)
      : err(problem('unreadable', 'The service describes the subscription in a way that cannot be read.', 200));
  };

  /** @returns the registration, with its secret stored here */
  const subscribe = async (url: string): Promise<Result<Subscription, ServiceProblem>> => {
    const made = described(await client.read('subscribe', { body: { url } }));
    if (!made.ok) return made;
    store.setMetadata('subscription', made.value.id);
    const secret = secretOf(made.value);
    if (secret !== null) {
      await secrets.begin(secret);
      return made;
    }
    if (secrets.live(clock.now()).length > 0) return made;
    // It existed already, and its secret is lost: delete it, since only a new subscription shows a secret.
    const removed = await client.read('deleteSubscription', { params: { id: made.value.id } });
    store.setMetadata('subscription', null);
    if (removed.ok) return subscribe(url);
    return isNotFound(removed.error)
      ? err(
          problem(
            'forbidden',
            'The service has this subscription already and shows its secret no more. Give the secret here.',
          ),
        )
      : removed;
  };

  const reconcile = async (): Promise<Result<Subscription, ServiceProblem> | null> => {
    const url = options.url();
    if (url === null) return null;
    const id = store.getMetadata('subscription');
    if (id === null) return subscribe(url);
    const found = described(await client.read('subscription', { params: { id } }));
    if (!found.ok) return isNotFound(found.error) ? subscribe(url) : found;
    if (found.value.url === url && secrets.live(clock.now()).length > 0) {
      if (found.value.status !== 'paused') return found;
      show(
        'paused',
        `The service had given up delivering (${found.value.paused_reason ?? 'it says no more'}); it is asked to go on.`,
      );
      return described(await client.read('resumeSubscription', { params: { id }, body: {} }));
    }
    const removed = await client.read('deleteSubscription', { params: { id } });
    if (!removed.ok && !isNotFound(removed.error)) return removed;
    store.setMetadata('subscription', null);
    return subscribe(url);
  };

  const runCheck = async (): Promise<void> => {
    if (!options.isOn())
      return options.isEnabled() ? show('waiting', 'This computer does not listen yet.') : show('off', 'Switched off.');
    if (!options.mayAsk()) return show('waiting', 'The service was not asked yet.');
    const outcome = await reconcile();
    if (isStopped) return;
    if (outcome === null) {
      failures = 0;
      return show(
        'by_hand',
        'The service cannot reach this computer by itself. Set a public address, or register the address by hand and give its secret.',
      );
    }
    if (outcome.ok) {
      failures = 0;
      return show('registered', 'The service delivers here.');
    }
    const { kind, message } = outcome.error;
    if (kind === 'not_found')
      return show('by_hand', 'The service has no way to register. Register the address by hand and give its secret.');
    failures += 1;
    const isRefused = kind === 'unauthorized' || kind === 'forbidden' || kind === 'bad_request' || kind === 'not_sent';
    show(isRefused ? 'refused' : 'waiting', message);
  };
  const arm = (): void => {
    cancel();
    if (isStopped) return;
    cancel = clock.after(
      failures === 0 ? options.cadence : Math.max(1_000, backoffDelay(failures - 1, RETRY, random)),
      check,
    );
  };
  const check = (): void => {
    if (isStopped) return;
    if (inFlight !== null) {
      isDueAgain = true;
      return;
    }
    cancel();
    inFlight = runCheck()
      .catch((error: unknown) => {
        failures += 1;
        show('waiting', messageOf(error));
      })
      .finally(() => {
        inFlight = null;
        if (isDueAgain) {
          isDueAgain = false;
          check();
        } else arm();
      });
    guard.go(inFlight);
  };
  const idNow = (): string => {
    const id = store.getMetadata('subscription');
    if (id === null || registration.state !== 'registered')
      throw new Error('The service does not deliver here at present, so there is nothing to do that with.');
    return id;
  };

  return {
    check,
    async withdraw() {
      await inFlight;
      const id = store.getMetadata('subscription');
      if (id === null) return;
      const removed = await client.read('deleteSubscription', { params: { id } });
      if (removed.ok || isNotFound(removed.error)) store.setMetadata('subscription', null);
    },
    stop() {
      isStopped = true;
      cancel();
    },
    async rotate() {
      const id = idNow();
      const rotated = described(await client.read('rotateSecret', { params: { id } }));
      if (!rotated.ok) throw new Error(rotated.error.message);
      const secret = secretOf(rotated.value);
      if (secret === null) throw new Error('The service answered without a new secret.');
      await secrets.replace(secret);
      const promoted = await client.read('promoteSecret', { params: { id } });
      if (!promoted.ok)
        throw new Error(
          `The new secret is known here, but the service still signs with the old one: ${promoted.error.message}`,
        );
    },
    async test() {
      const answer = await client.read('testSubscription', { params: { id: idNow() } });
      if (!answer.ok) return answer;
      const delivery = TestedSchema.safeParse(answer.value.value);
      if (!delivery.success)
        return err(problem('unreadable', 'The service answered in a way that cannot be read.', 200));
      const last = delivery.data.attempts.at(-1);
      const { event_id: eventId = null } = delivery.data;
      return ok({ eventId, status: last?.status ?? null, error: last === undefined ? 'nothing was sent' : last.error });
    },
    view: () => registration,
  };
}

const TestedSchema = z.object({
  event_id: z.string().optional().catch(undefined),
  attempts: z.array(z.object({ status: z.number().nullable(), error: z.string().nullable() })),
});
