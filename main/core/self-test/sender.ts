// Main, core: sends the test event of a self-test by the best method that the service offers.
// It also names the parts that the method leaves untested.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Relay } from '../relay/relay.ts';
import { SELF_TEST_EVENT } from '../relay/self-delivery.ts';
import type { WorldClock } from '../time/world-clock.ts';
import type { SendMethod, StepResult } from './state.ts';

export interface SendResult {
  readonly method: SendMethod;
  /** null: unknown. */
  readonly eventId: string | null;
  readonly detail: Message;
  readonly stream: StepResult;
  readonly webhook: StepResult;
}

export interface SelfTestSender {
  /** Sends an event about a watched symbol. Never rejects; an error gives the reason and the remedy. */
  send(symbol: string): Promise<Result<SendResult, Message>>;
}

export interface SelfTestSenderOptions {
  readonly client: Pick<Client, 'read'>;
  readonly profile: Profile;
  readonly relay: Pick<Relay, 'view' | 'repeat' | 'sendToItself'>;
  readonly world: Pick<WorldClock, 'now'>;
  readonly mayAsk: () => boolean;
  /** Why no request may be sent to the service. */
  readonly reason: () => Message;
}

const TriggeredSchema = z.object({ data: z.array(z.object({ event_id: z.string().min(1).max(128) })).min(1) });
const WAITS: StepResult = { outcome: 'waits', detail: null };
const skipped = (detail: Message): StepResult => ({ outcome: 'skipped', detail });
const passed = (detail: Message): StepResult => ({ outcome: 'passed', detail });
const failed = (detail: Message): StepResult => ({ outcome: 'failed', detail });

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

  /** Uses signal.created, which repeats a state on the path of a transition (docs/contract.md 30). */
  const byTrigger = async (symbol: string): Promise<Result<SendResult, Message> | null> => {
    if (profile.environment !== 'sandbox') return null;
    const webhook = webhookResult();
    const answer = await client.read('trigger', { body: { event: 'signal.created', symbol } });
    if (!answer.ok) return isNotOffered(answer.error) ? null : err(plainMessage(answer.error.message));
    const made = TriggeredSchema.safeParse(answer.value.value);
    if (!made.success) return err(message('self_test.unreadable'));
    const eventId = made.data.data.at(-1)?.event_id ?? null;
    return ok({
      method: 'trigger',
      eventId,
      detail: message('self_test.triggered', { symbol }),
      stream: WAITS,
      webhook,
    });
  };

  const byRepeat = async (): Promise<Result<SendResult, Message> | null> => {
    if (webhookResult().outcome !== 'waits') return null;
    const answer = await relay.repeat();
    if (!answer.ok) return isNotOffered(answer.error) ? null : err(plainMessage(answer.error.message));
    const { eventId, status, error } = answer.value;
    return ok({
      method: 'repeat',
      eventId,
      detail: message('self_test.repeated'),
      stream: skipped(message('self_test.not_offered')),
      webhook:
        error === null
          ? passed(message('self_test.arrived', { status }))
          : failed(message('self_test.not_arrived', { error })),
    });
  };

  const byLoopback = async (): Promise<Result<SendResult, Message> | null> => {
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
      detail: message('self_test.looped'),
      stream: skipped(message('self_test.not_offered')),
      webhook:
        receipt.error === null
          ? passed(message('self_test.relay_accepted', { status: receipt.status }))
          : failed(message('self_test.relay_refused', { error: receipt.error })),
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
          detail: message('self_test.nothing_sent'),
          stream: skipped(message('self_test.not_offered')),
          webhook: skipped(message('self_test.no_relay')),
        })
      );
    },
  };
}
