// Conformance: helpers of the checks of webhooks.
import { type Check, check, type Outcome, type Subject, skipped } from './check.ts';
import { type PushedEvent, type PushRun, readPushedEvent, textIn } from './push-run.ts';
import type { Arrival, Manner } from './receiver.ts';

export const NO_EVENT = 'no event occurred, and this service cannot trigger one';
export const webhookEvents = (arrivals: readonly Arrival[]): PushedEvent[] =>
  arrivals.flatMap(({ body }) => readPushedEvent(body.toString('utf8')) ?? []);

/** A check of webhook deliveries. */
export const webhookCheck = (
  section: string,
  id: string,
  rule: string,
  run: (pushRun: PushRun) => Outcome,
  make: typeof check = check,
): Check =>
  make(section, id, rule, async (subject: Subject) => {
    const pushRun = await subject.pushRun();
    if (pushRun.noWebhooks !== null) return skipped(pushRun.noWebhooks);
    if ((pushRun.subscribed.good?.status ?? 500) >= 300) return skipped('no subscription could be made');
    return run(pushRun);
  });
export const withArrivals = (
  section: string,
  id: string,
  rule: string,
  run: (arrivals: readonly Arrival[], pushRun: PushRun) => Outcome,
): Check =>
  webhookCheck(section, id, rule, (pushRun) => {
    const { good } = pushRun.arrivals;
    if (good.length > 0) return run(good, pushRun);
    return skipped(pushRun.triggered === null ? NO_EVENT : 'no delivery came');
  });
export const secretOf = ({ subscribed }: PushRun, manner: Manner = 'good'): string | null =>
  textIn(subscribed[manner]?.body, 'signing_secret') ?? textIn(subscribed[manner]?.body, 'secret');
