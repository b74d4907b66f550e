// Main, core: asks the service who it is and what time it has.
// Until it answers, and while it is of the other environment, it gets no key.

import type { Client } from '../../../client/client.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { CoreContext } from '../module.ts';
import type { ConnectionStore } from './state.ts';

export interface IdentityCheck {
  /** Words for the user, when it must not be listened to. */
  readonly fatal: string | null;
  /** The round trip that told: its time in ms, or what came instead. */
  readonly roundTrip: Result<{ readonly took: number }, ServiceProblem>;
}

export interface Identity {
  /** Asks. Only a service that cannot be reached at all is a problem here: another one may not answer GET /. */
  ask(): Promise<Result<IdentityCheck, ServiceProblem>>;
}

export interface IdentityDeps {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'call' | 'baseUrl'>;
  readonly store: ConnectionStore;
  /** It may be listened to; called after every answer that says so. */
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
