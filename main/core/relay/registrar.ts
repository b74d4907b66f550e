// Main, core: keeps the subscription at the service correct: address, active, secret known here.
// It checks regularly, so that a subscription that was removed, paused or redirected is repaired. A check may
// be repeated at any time: the request for a subscription is idempotent.
import { isDeepStrictEqual } from 'node:util';
import type { ServiceProblem } from '../../../client/problem.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isSameAddress } from '../compat/read-subscription.ts';
import type { CoreContext } from '../module.ts';
import type { RelayDeps } from './deps.ts';
import type { Listener } from './listener.ts';
import { createOwnSubscription, isNotFound, type OwnSubscription, type Redelivery } from './own-subscription.ts';
import type { SecretStore } from './secrets.ts';
import type { RelaySettingsStore } from './settings.ts';
import type { RelayStore } from './store.ts';

export type Registration = RelayView['registration'];

export interface Registrar {
  /** Checks now and at every interval. Resolves after the service has answered, also with an error. */
  check(): Promise<void>;
  /** The service may be asked again: repeats a check that could not ask. */
  serviceTrusted(): void;
  /** Deletes the subscription if there is one. Waits for the service no longer than the client does. */
  withdraw(): Promise<void>;
  /** Ends the checks; the subscription remains. */
  stop(): void;
  /** Changes to a new secret. @throws RefusedError */
  rotate(): Promise<void>;
  /** Asks the service to send its newest event here. @throws RefusedError */
  test(): Promise<Result<Redelivery, ServiceProblem>>;
  view(): Registration;
}

export interface RegistrarDeps {
  readonly context: Pick<CoreContext, 'guard' | 'ports' | 'profile'>;
  readonly service: Pick<RelayDeps['service'], 'client' | 'mayAsk'>;
  readonly settings: Pick<RelaySettingsStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'live' | 'begin' | 'replace'>;
  readonly store: Pick<RelayStore, 'getMetadata' | 'setMetadata'>;
  readonly listener: Pick<Listener, 'listening' | 'url'>;
  /** The view has changed. */
  readonly changed: () => void;
}

/** The end of a check. */
interface Outcome {
  readonly state: Registration['state'];
  readonly message: Message;
  /** The next check follows soon at first, then later and later. */
  readonly isFailed?: boolean;
  /** Shortest time until the next check, ms. */
  readonly wait?: number;
}

/**
 * Interval of the checks, ms. In production a call counts against the quota, and the other sources work
 * meanwhile.
 */
const INTERVAL = { sandbox: 10_000, production: 900_000 };
const RETRY = { base: 2_000, cap: 60_000 };
const SHORTEST_WAIT = 1_000;
/**
 * Shortest interval between two requests for a subscription, ms: the service may have made one, whatever its
 * answer. It grows with every request, and an hour without a request resets it.
 */
const WRITE = { base: 2_000, factor: 3, cap: 24 * 3_600_000, forget: 3_600_000 };
/** Number of requests that a subscription counts as which was made but cannot be used. */
const UNUSABLE = 6;

const NOT_ASKED = message('registration.not_asked');
const waiting = (found: Message): Outcome => ({ state: 'waiting', message: found });
/** A fault that only the user can resolve. */
const blocked = (found: Message): Outcome => ({ state: 'refused', message: found, isFailed: true });
const ACTIVE: Outcome = { state: 'registered', message: message('registration.active') };
/** The service cannot show the subscription, which counts as correct. */
const UNCHECKED: Outcome = { state: 'registered', message: message('registration.unchecked') };

function failed({ kind, message: text }: ServiceProblem): Outcome {
  if (kind === 'not_found') return { state: 'by_hand', message: message('registration.no_endpoint') };
  const found = plainMessage(text);
  const isRefused = kind === 'unauthorized' || kind === 'forbidden' || kind === 'bad_request' || kind === 'not_sent';
  return isRefused ? blocked(found) : { ...waiting(found), isFailed: true };
}

export const beginRegistration = (now: number): Registration => ({
  state: 'waiting',
  message: NOT_ASKED,
  since: timestamp(now),
});

interface CheckDeps extends Pick<RegistrarDeps, 'service' | 'settings' | 'secrets' | 'listener'> {
  readonly clock: Clock;
  readonly subscription: OwnSubscription;
  view(): Registration;
  show(outcome: Outcome): void;
}

/** @returns the check: reads the subscription, and repairs what is wrong with it */
function createCheck(deps: CheckDeps): () => Promise<Outcome> {
  const { clock, service, settings, secrets, listener, subscription, view, show } = deps;
  /** Requests for a subscription that did not last, and the instant of the last one; null: none. */
  let writes: { readonly count: number; readonly at: number } | null = null;

  const hasSecret = (): boolean => secrets.live(clock.now()).length > 0;
  /** The service made one that cannot be used, and would make another: the next request waits long. */
  const unusable = (found: Message): Outcome => {
    if (writes !== null) writes = { ...writes, count: Math.max(UNUSABLE, writes.count) };
    return blocked(found);
  };
  /** null: a subscription may be requested. */
  const paused = (): Outcome | null => {
    const now = clock.now();
    if (writes === null || now < writes.at) return null;
    const wait = writes.at + Math.min(WRITE.cap, WRITE.base * WRITE.factor ** (writes.count - 1)) - now;
    if (wait <= 0) return null;
    const found = message('registration.paused_writes', { minutes: Math.max(1, Math.ceil(wait / 60_000)) });
    return { state: view().state === 'refused' ? 'refused' : 'waiting', message: found, wait };
  };
  /** @param isAgain it replaces one that existed, whose secret the service did not show */
  const request = async (url: string, isAgain = false): Promise<Outcome> => {
    const at = clock.now();
    writes = { count: (writes === null || at - writes.at > WRITE.forget ? 0 : writes.count) + 1, at };
    const made = await subscription.subscribe(url);
    if (!made.ok)
      return made.error.kind === 'unreadable' ? unusable(message('registration.unusable')) : failed(made.error);
    const { id } = made.value;
    if (id === null) return hasSecret() ? UNCHECKED : unusable(message('registration.unusable'));
    if (!hasSecret()) {
      if (isAgain) return unusable(message('registration.secret_not_shown'));
      const removed = await subscription.remove(id);
      if (removed.ok) return request(url, true);
      return isNotFound(removed.error) ? unusable(message('registration.secret_lost')) : failed(removed.error);
    }
    if (subscription.canRead()) return ACTIVE;
    // Shows whether the service can read subscriptions at all.
    const read = await subscription.read(id);
    if (read.ok) return ACTIVE;
    return isNotFound(read.error) ? UNCHECKED : failed(read.error);
  };
  const subscribe = (url: string): Outcome | Promise<Outcome> => paused() ?? request(url);
  /** Keeps the present one while no other may be requested. */
  const replace = async (id: string, url: string): Promise<Outcome> => {
    const pause = paused();
    if (pause !== null) return pause;
    const removed = await subscription.remove(id);
    return removed.ok || isNotFound(removed.error) ? request(url) : failed(removed.error);
  };
  const withdrawn = async (id: string | null, mayAsk: boolean): Promise<Outcome> => {
    // When the user switches the relay on again, it asks for a subscription at once.
    writes = null;
    if (id === null) return { state: 'off', message: message('registration.off') };
    const left = (why: Message, isFailed: boolean): Outcome => ({
      state: 'off',
      message: message('registration.off_left', { why }),
      isFailed,
    });
    if (!mayAsk) return left(NOT_ASKED, false);
    try {
      const removed = await subscription.remove(id);
      if (!removed.ok && !isNotFound(removed.error)) return left(plainMessage(removed.error.message), true);
    } catch (error) {
      return left(plainMessage(messageOf(error)), true);
    }
    return { state: 'off', message: message('registration.off') };
  };
  return async () => {
    const id = subscription.id();
    const mayAsk = service.mayAsk();
    if (!settings.read().on) return withdrawn(id, mayAsk);
    if (listener.listening() === null) return waiting(message('registration.not_listening'));
    if (!mayAsk) return waiting(NOT_ASKED);
    const url = listener.url();
    if (url === null) return { state: 'by_hand', message: message('registration.unreachable') };
    if (id === null) return subscription.unnamed() === url ? UNCHECKED : subscribe(url);
    const read = await subscription.read(id);
    if (!read.ok) {
      if (!isNotFound(read.error)) return failed(read.error);
      return subscription.canRead() ? subscribe(url) : UNCHECKED;
    }
    const { value: found } = read;
    if (found.id === null) return blocked(message('registration.unusable'));
    if ((found.url !== null && !isSameAddress(found.url, url)) || !hasSecret()) return replace(found.id, url);
    if (found.status !== 'paused') return ACTIVE;
    show({ state: 'paused', message: message('registration.paused', { reason: found.paused_reason ?? null }) });
    const resumed = await subscription.resume(found.id);
    return resumed.ok ? ACTIVE : failed(resumed.error);
  };
}

export function createRegistrar(deps: RegistrarDeps): Registrar {
  const { service, changed } = deps;
  const { guard, ports, profile } = deps.context;
  const { clock } = guard;
  const subscription = createOwnSubscription(service.client, deps.secrets, deps.store);
  let registration = beginRegistration(clock.now());
  /** Failed checks in a row. */
  let failures = 0;
  let running: Promise<void> | null = null;
  let isDueAgain = false;
  let isStopped = false;
  /** The last check could not ask the service. */
  let wasOffline = false;
  let cancel: Cancel = () => undefined;

  const show = ({ state, message: found }: Outcome): void => {
    if (registration.state === state && isDeepStrictEqual(registration.message, found)) return;
    registration = { state, message: found, since: timestamp(clock.now()) };
    changed();
  };
  const ensure = createCheck({ ...deps, clock, subscription, show, view: () => registration });
  const run = async (): Promise<void> => {
    let outcome: Outcome;
    do {
      isDueAgain = false;
      wasOffline = !service.mayAsk();
      outcome = await ensure().catch((error: unknown) => ({
        ...waiting(plainMessage(messageOf(error))),
        isFailed: true,
      }));
      // A pause between two requests says nothing about the service.
      if (outcome.wait === undefined) failures = outcome.isFailed === true ? failures + 1 : 0;
      show(outcome);
    } while (isDueAgain && !isStopped);
    if (isStopped) return;
    const interval = INTERVAL[profile.environment];
    const ms = failures === 0 ? interval : Math.max(SHORTEST_WAIT, backoffDelay(failures - 1, RETRY, ports.random));
    cancel = clock.after(Math.max(ms, outcome.wait ?? 0), () => guard.go(check()));
  };
  const check = async (): Promise<void> => {
    if (isStopped) return;
    cancel();
    if (running !== null) isDueAgain = true;
    else
      running = run().finally(() => {
        running = null;
      });
    await running;
  };
  /** @throws RefusedError, unless the service delivers here */
  const registeredId = (): string => {
    const id = subscription.id();
    if (id === null || registration.state !== 'registered') throw refused(message('relay.not_registered'));
    return id;
  };

  return {
    check,
    serviceTrusted() {
      if (wasOffline) guard.go(check());
    },
    async withdraw() {
      await running;
      const id = subscription.id();
      if (id !== null) await subscription.remove(id);
    },
    stop() {
      isStopped = true;
      cancel();
    },
    rotate: async () => subscription.rotate(registeredId()),
    test: async () => subscription.test(registeredId()),
    view: () => registration,
  };
}
