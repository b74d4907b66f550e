// Main, core: sends the test event of a self-test by the best method that the service offers.
// It also names the parts that the method leaves untested.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Relay } from '../relay/relay.ts';
import { SELF_TEST_EVENT } from '../relay/self-delivery.ts';
import type { WorldClock } from '../world-clock.ts';
import type { SendMethod, StepResult } from './state.ts';

export interface SendResult {
  readonly method: SendMethod;
  /** null: unknown. */
  readonly eventId: string | null;
  readonly detail: string;
  readonly stream: StepResult;
  readonly webhook: StepResult;
}

export interface SelfTestSender {
  /** Sends an event about a watched symbol. Never rejects; an error gives the reason and the remedy. */
  send(symbol: string): Promise<Result<SendResult, string>>;
}

export interface SelfTestSenderOptions {
  readonly client: Pick<Client, 'read'>;
  readonly profile: Profile;
  readonly relay: Pick<Relay, 'view' | 'repeat' | 'sendToItself'>;
  readonly world: Pick<WorldClock, 'now'>;
  readonly mayAsk: () => boolean;
  /** Why the service cannot be asked, as text. */
  readonly reason: () => string;
}

const TriggeredSchema = z.object({ data: z.array(z.object({ event_id: z.string().min(1).max(128) })).min(1) });
const WAITS: StepResult = { outcome: 'waits', detail: '' };
const skipped = (detail: string): StepResult => ({ outcome: 'skipped', detail });
const passed = (detail: string): StepResult => ({ outcome: 'passed', detail });
const failed = (detail: string): StepResult => ({ outcome: 'failed', detail });

/** The service lacks the endpoint, or denies it to this key: the next method is tried. */
const isNotOffered = ({ kind, status }: ServiceProblem): boolean =>
  kind === 'not_found' || kind === 'forbidden' || kind === 'bad_request' || status === 405 || status === 501;

export function createSelfTestSender({
  client,
  profile,
  relay,
  world,
  mayAsk,
  reason,
}: SelfTestSenderOptions): SelfTestSender {
  const webhookResult = (): StepResult => {
    const { registration, on } = relay.view();
    return on && registration.state === 'registered' ? WAITS : skipped(registration.message);
  };

  /** signal.created repeats a state: it is no transition, and takes the path of one (docs/contract.md 30). */
  const byTrigger = async (symbol: string): Promise<Result<SendResult, string> | null> => {
    if (profile.environment !== 'sandbox') return null;
    const webhook = webhookResult();
    const answer = await client.read('trigger', { body: { event: 'signal.created', symbol } });
    if (!answer.ok) return isNotOffered(answer.error) ? null : err(answer.error.message);
    const made = TriggeredSchema.safeParse(answer.value.value);
    if (!made.success) return err('The service answered the request for a test event in a way that cannot be read.');
    const eventId = made.data.data.at(-1)?.event_id ?? null;
    return ok({
      method: 'trigger',
      eventId,
      detail: `The service sent a test event about ${symbol}.`,
      stream: WAITS,
      webhook,
    });
  };

  const byRepeat = async (): Promise<Result<SendResult, string> | null> => {
    if (webhookResult().outcome !== 'waits') return null;
    const answer = await relay.repeat();
    if (!answer.ok) return isNotOffered(answer.error) ? null : err(answer.error.message);
    const { eventId, status, error } = answer.value;
    return ok({
      method: 'repeat',
      eventId,
      detail: 'The service sent its newest event once more.',
      stream: skipped('This service offers no test event for the stream.'),
      webhook:
        error === null
          ? passed(`It arrived with a valid signature and was answered with ${status}.`)
          : failed(`It did not arrive: ${error}. Check the refused deliveries under Webhooks.`),
    });
  };

  const byLoopback = async (): Promise<Result<SendResult, string> | null> => {
    const eventId = `self-test:${randomUUID()}`;
    const event = {
      event_id: eventId,
      event: SELF_TEST_EVENT,
      timestamp: timestamp(world.now()),
      data: { test: true, note: 'A self-test of this computer. Nothing happened.' },
    };
    const receipt = await relay.sendToItself(eventId, JSON.stringify(event));
    if (receipt === null) return null;
    return ok({
      method: 'loopback',
      eventId,
      detail: 'This service offers no test event. This computer sent one to its own relay.',
      stream: skipped('This service offers no test event for the stream.'),
      webhook:
        receipt.error === null
          ? passed(`The relay here accepted its signature and answered with ${receipt.status}.`)
          : failed(`The relay here did not accept it: ${receipt.error}. Check the refused deliveries under Webhooks.`),
    });
  };

  return {
    async send(symbol) {
      if (!mayAsk()) return err(reason());
      return (
        (await byTrigger(symbol)) ??
        (await byRepeat()) ??
        (await byLoopback()) ??
        ok({
          method: 'none',
          eventId: null,
          detail:
            'Nothing was sent: this service offers no test event, and no relay listens here. The remaining steps run on this computer.',
          stream: skipped('This service offers no test event for the stream.'),
          webhook: skipped('No relay listens here.'),
        })
      );
    },
  };
}
