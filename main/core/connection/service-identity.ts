// Main, core: asks the service for its identity and its time.
// A service gets no key before it answers, or while it belongs to the other environment.
import type { Client } from '../../../client/client.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { problemMessage } from '../compat/refusals.ts';
import { setBaseline } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { HealthChecks } from './health-checks.ts';
import { refusalMessage } from './machine.ts';
import { type ConnectionStore, isStreaming, mayAsk } from './state.ts';
import type { Watermark } from './watermark.ts';

export interface ServiceIdentity {
  /** The service is up: what it announces from now on is new. */
  begin(): void;
  /**
   * Asks the service. The result is an error only when the service is unreachable, because a service may lack
   * GET /. `fatal`: why the service must not be used.
   */
  check(): Promise<Result<{ readonly fatal: Message | null }, ServiceProblem>>;
  /** The connection was lost: the next answer may be from another service, or with another clock. */
  lost(): void;
  /** Checks unless the service is identified since the last loss: its clock decides about dates. */
  recheck(): ReturnType<ServiceIdentity['check']>;
  /** Discards the answer to a running check. */
  stop(): void;
}

export interface ServiceIdentityDeps {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'call' | 'baseUrl'>;
  readonly store: ConnectionStore;
  readonly ledger: Pick<Ledger, 'metadata'>;
  readonly healthChecks: Pick<HealthChecks, 'roundTrip'>;
  readonly watermark: Pick<Watermark, 'lose'>;
}

interface IdentityAnswer {
  readonly fatal: Message | null;
  /** The round trip of the answer: its time in ms, or the problem. */
  readonly roundTrip: Result<{ readonly took: number }, ServiceProblem>;
}

export function createServiceIdentity(deps: ServiceIdentityDeps): ServiceIdentity {
  const { context, client, store, ledger } = deps;
  const { profile, world, events } = context;
  const { clock } = context.guard;
  let begun = clock.now();
  let isStopped = false;
  let losses = 0;

  /**
   * @param asked number of losses at the time of the request: an answer from before a loss identifies no
   * service
   * @param baseline world time of the start, ms
   */
  const trust = (asked: number, baseline: number): void => {
    const couldAsk = mayAsk(store.current());
    store.set(asked === losses ? { isTrusted: true, isIdentified: true } : { isTrusted: true });
    // The baseline is the start, not the first answer: events before the service is found are notified.
    const keptUntil = ledger.metadata.get('kept_until_here');
    setBaseline(ledger.metadata, timestamp(keptUntil === null ? baseline : world.at(Date.parse(keptUntil))));
    if (!couldAsk && mayAsk(store.current())) events.signal('serviceTrusted');
  };
  const distrust = (): void => store.set({ isTrusted: false, isIdentified: false });
  const ask = async (): Promise<Result<IdentityAnswer, ServiceProblem>> => {
    const before = clock.now();
    const asked = losses;
    const answer = await client.call('root');
    if (!answer.ok) {
      if (isUnreachable(answer.error) || answer.error.kind === 'cancelled') return err(answer.error);
      if (answer.error.kind === 'not_sent') return ok({ fatal: problemMessage(answer.error), roundTrip: answer });
      if (answer.error.kind === 'unproven') {
        distrust();
        return ok({ fatal: refusalMessage(answer.error), roundTrip: answer });
      }
      // A restarted service may have another clock. Wait for its time.
      if (answer.error.kind === 'unavailable' && world.isKnown()) return err(answer.error);
      trust(asked, world.at(begun));
      return ok({ fatal: null, roundTrip: answer });
    }
    const { value: root, took } = answer.value;
    const answered = clock.now();
    if (world.sample(Date.parse(root.time), (before + answered) / 2, root.speed, took / 2))
      events.signal('connectionChanged');
    if (root.replay !== store.current().isReplay) {
      store.set({ isReplay: root.replay });
      events.signal('profileChanged');
    }
    if (root.environment === profile.environment) {
      // Treats the time as read at the end of the call: an earlier instant would move the baseline too late.
      trust(asked, Date.parse(root.time) - (answered - begun) * world.view().speed);
      return ok({ fatal: null, roundTrip: ok({ took }) });
    }
    distrust();
    const fatal = message('connection.other_environment', {
      host: client.baseUrl.host,
      environment: root.environment,
      profile: profile.name,
      expected: profile.environment,
    });
    return ok({ fatal, roundTrip: ok({ took }) });
  };

  const check: ServiceIdentity['check'] = async () => {
    const seen = await ask();
    if (isStopped) return ok({ fatal: null });
    deps.healthChecks.roundTrip(seen.ok ? seen.value.roundTrip : seen);
    if (!seen.ok && !isStreaming(store.current())) deps.watermark.lose(problemMessage(seen.error));
    return seen;
  };

  return {
    begin() {
      begun = clock.now();
    },
    check,
    lost() {
      losses += 1;
      world.lost();
      store.set({ isIdentified: false });
    },
    recheck: async () => (store.current().isIdentified ? ok({ fatal: null }) : check()),
    stop() {
      isStopped = true;
    },
  };
}
