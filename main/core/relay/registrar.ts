// Main, core: keeps the subscription at the service correct: address, active, secret known here.
// It checks regularly, so that a subscription that was removed, paused or redirected is repaired.
import type { ServiceProblem } from '../../../client/problem.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import type { CoreContext } from '../module.ts';
import type { RelayDeps } from './deps.ts';
import type { Listener } from './listener.ts';
import { createOwnSubscription, type Redelivery } from './own-subscription.ts';
import {
  beginRegistration,
  type CheckEvent,
  next,
  type Registration,
  type RegistrationEffect,
  type RegistrationEvent,
} from './registration-machine.ts';
import type { SecretStore } from './secrets.ts';
import type { RelaySettingsStore } from './settings.ts';
import type { RelayStore } from './store.ts';

export interface Registrar {
  /** Checks now and at every interval. */
  check(): void;
  /** Checks now; resolves after the service has answered, also with an error. */
  checkNow(): Promise<void>;
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
  readonly context: CoreContext;
  readonly service: Pick<RelayDeps['service'], 'client' | 'mayAsk'>;
  readonly settings: Pick<RelaySettingsStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'live' | 'begin' | 'replace'>;
  readonly store: Pick<RelayStore, 'getMetadata' | 'setMetadata'>;
  readonly listener: Pick<Listener, 'listening' | 'url'>;
  /** The view has changed. */
  readonly changed: () => void;
}

/**
 * Interval of the checks, ms. In production a call counts against the quota, and the other sources work
 * meanwhile.
 */
const INTERVAL = { sandbox: 10_000, production: 900_000 };

export function createRegistrar(deps: RegistrarDeps): Registrar {
  const { service, settings, secrets, listener, changed } = deps;
  const { guard, ports, profile } = deps.context;
  const { clock } = guard;
  const subscription = createOwnSubscription(service.client, secrets, deps.store);
  let state = beginRegistration(clock.now());
  let cancel: Cancel = () => undefined;
  let running: Promise<void> = Promise.resolve();
  /** The last check could not ask the service. */
  let wasOffline = false;

  const relayState = (): CheckEvent['relay'] => {
    if (!settings.read().on) return 'off';
    return listener.listening() === null ? 'closed' : 'ready';
  };
  const check = (): CheckEvent => {
    const mayAsk = service.mayAsk();
    wasOffline = !mayAsk;
    return {
      kind: 'check',
      relay: relayState(),
      mayAsk,
      url: listener.url(),
      id: subscription.id(),
      unnamed: subscription.unnamed(),
    };
  };
  const step = (event: RegistrationEvent): readonly RegistrationEffect[] => {
    const { registration } = state;
    const [after, effects] = next(state, event, {
      now: clock.now(),
      random: ports.random,
      interval: INTERVAL[profile.environment],
      hasSecret: secrets.live(clock.now()).length > 0,
      canRead: subscription.canRead(),
    });
    state = after;
    if (registration !== after.registration) changed();
    return effects;
  };
  /** @returns the event that the effect ends with; null: none */
  const run = async (effect: RegistrationEffect): Promise<RegistrationEvent | null> => {
    switch (effect.kind) {
      case 'read':
        return { kind: 'answered', answer: await subscription.read(effect.id) };
      case 'resume':
        return { kind: 'answered', answer: await subscription.resume(effect.id) };
      case 'subscribe':
        return { kind: 'answered', answer: await subscription.subscribe(effect.url) };
      case 'remove':
        return { kind: 'removed', answer: await subscription.remove(effect.id) };
      case 'check':
        return check();
      case 'wait':
        cancel = clock.after(effect.ms, () => dispatch(check()));
        return null;
    }
  };
  const follow = async (effects: readonly RegistrationEffect[]): Promise<void> => {
    for (const effect of effects) {
      const event = await run(effect).catch(
        (error: unknown): RegistrationEvent => ({ kind: 'failed', message: plainMessage(messageOf(error)) }),
      );
      if (event !== null) await follow(step(event));
    }
  };
  const dispatch = (event: RegistrationEvent): void => {
    cancel();
    const effects = step(event);
    if (effects.length === 0) return;
    running = follow(effects);
    guard.go(running);
  };
  /** @throws RefusedError, unless the service delivers here */
  const registeredId = (): string => {
    const id = subscription.id();
    if (id === null || state.registration.state !== 'registered') throw refused(message('relay.not_registered'));
    return id;
  };

  return {
    check: () => dispatch(check()),
    async checkNow() {
      dispatch(check());
      await running;
    },
    serviceTrusted() {
      if (wasOffline) dispatch(check());
    },
    async withdraw() {
      await running;
      const id = subscription.id();
      if (id !== null) await subscription.remove(id);
    },
    stop: () => dispatch({ kind: 'stop' }),
    rotate: async () => subscription.rotate(registeredId()),
    test: async () => subscription.test(registeredId()),
    view: () => state.registration,
  };
}
