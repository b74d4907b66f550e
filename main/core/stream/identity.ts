// Main, core: who the service says it is, and what time it has there. Until it said so, and while it is of the other environment, it gets no key.

import type { Client } from '../../../client/client.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../state/world-clock.ts';

export interface IdentityCheck {
  /** Words for the user, when it must not be listened to. */
  readonly fatal: string | null;
  /** The round trip that told: its time in ms, or what came instead. */
  readonly roundTrip: Result<{ readonly took: number }, ServiceProblem>;
}

export interface Identity {
  /** Asks. Only a service that cannot be reached at all is a problem here: another one may not answer GET /. */
  ask(): Promise<Result<IdentityCheck, ServiceProblem>>;
  isTrusted(): boolean;
  isReplay(): boolean;
}

export interface IdentityOptions {
  readonly client: Pick<Client, 'call' | 'baseUrl'>;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly world: WorldClock;
  /** It may be listened to; called after every answer that says so. */
  readonly onTrusted: (isFirst: boolean) => void;
  readonly onReplay: () => void;
  readonly onWorldMoved: () => void;
}

export function createIdentity({ client, profile, clock, world, ...on }: IdentityOptions): Identity {
  let isTrusted = false;
  let isReplay = false;
  const trust = (): void => {
    const isFirst = !isTrusted;
    isTrusted = true;
    on.onTrusted(isFirst);
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
      if (world.sample(Date.parse(root.time), (before + clock.now()) / 2, root.speed)) on.onWorldMoved();
      if (root.replay !== isReplay) {
        isReplay = root.replay;
        on.onReplay();
      }
      if (root.environment === profile.environment) {
        trust();
        return ok({ fatal: null, roundTrip: ok({ took }) });
      }
      isTrusted = false;
      const fatal = `The service at ${client.baseUrl.host} is ${root.environment}, and profile ${profile.name} is ${profile.environment}. Nothing is taken from it. Change the address or the profile.`;
      return ok({ fatal, roundTrip: ok({ took }) });
    },
    isTrusted: () => isTrusted,
    isReplay: () => isReplay,
  };
}
