// Main, core: asks the service for its identity and its time.
// The service gets no key before it answers, nor while it is of the other environment.

import type { Client } from '../../../client/client.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { CoreContext } from '../module.ts';
import type { ConnectionStore } from './state.ts';

export interface IdentityCheck {
  /** Message for the user when the service must not be used. */
  readonly fatal: string | null;
  /** The round trip of the answer: its time in ms, or the problem. */
  readonly roundTrip: Result<{ readonly took: number }, ServiceProblem>;
}

export interface Identity {
  /** Only an unreachable service is a problem here: other services may not answer GET /. */
  ask(): Promise<Result<IdentityCheck, ServiceProblem>>;
}

export interface IdentityDeps {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'call' | 'baseUrl'>;
  readonly store: ConnectionStore;
  /** Called after every answer that makes the service trusted. */
  readonly onTrusted: (isFirst: boolean) => void;
}

export function createIdentity({ context, client, store, onTrusted }: IdentityDeps): Identity {
  const { profile, world, events } = context;
  const { clock } = context.guard;
  const trust = (): void => {
    const isFirst = !store.current().isTrusted;
    store.set({ isTrusted: true });
    onTrusted(isFirst);
  };
  return {
    async ask() {
      const before = clock.now();
      const answer = await client.call('root');
      if (!answer.ok) {
        if (isUnreachable(answer.error) || answer.error.kind === 'cancelled') return err(answer.error);
        if (answer.error.kind === 'not_sent') return ok({ fatal: answer.error.message, roundTrip: answer });
        trust();
        return ok({ fatal: null, roundTrip: answer });
      }
      const { value: root, took } = answer.value;
      if (world.sample(Date.parse(root.time), (before + clock.now()) / 2, root.speed))
        events.signal('connectionChanged');
      if (root.replay !== store.current().isReplay) {
        store.set({ isReplay: root.replay });
        events.signal('profileChanged');
      }
      if (root.environment === profile.environment) {
        trust();
        return ok({ fatal: null, roundTrip: ok({ took }) });
      }
      store.set({ isTrusted: false });
      const fatal = `The service at ${client.baseUrl.host} is ${root.environment}, and profile ${profile.name} is ${profile.environment}. Nothing is taken from it. Change the address or the profile.`;
      return ok({ fatal, roundTrip: ok({ took }) });
    },
  };
}
