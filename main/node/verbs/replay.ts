// Main, command line: `barograph replay`: sends events of a range to webhook subscriptions again.
// The bytes and the ids are the same.
import { type ServiceClient, ServiceError, type Subscription } from '../../../client/index.ts';
import { ZonedInstantSchema } from '../../../shared/wire/primitives.ts';
import { UsageError } from '../../host/command-line.ts';
import { answerOf, connectTo, refusal, type ServiceFlags } from './service-flags.ts';

export interface ReplayFlags extends ServiceFlags {
  readonly subscription: string;
  readonly from: string;
  readonly to?: string;
}

/** Prints one line per subscription: its id, its address, and the number of deliveries. */
export async function replayVerb({ subscription, from, to, ...flags }: ReplayFlags): Promise<void> {
  for (const [name, instant] of [['--from', from] as const, ...(to === undefined ? [] : [['--to', to] as const])])
    if (!ZonedInstantSchema.safeParse(instant).success)
      throw new UsageError(
        `${name} ${instant}: it must be an ISO 8601 date, or a date-time with Z or an offset, like 2026-03-02T14:30:00Z.`,
      );
  const service = connectTo(flags);
  const subscriptions = await findSubscriptions(service, subscription);
  if (subscriptions.length === 0)
    console.error('barograph: The service has no active webhook subscription; nothing was sent.');
  for (const one of subscriptions) {
    const queued = await replay(service, one.id, { from, ...(to === undefined ? {} : { to }) });
    console.log([one.id, one.url, queued].join('\t'));
  }
}

async function findSubscriptions(service: ServiceClient, id: string): Promise<Subscription[]> {
  if (id !== 'all') return [await answerOf(() => service.call('subscription', { params: { id } }))];
  try {
    const all: Subscription[] = [];
    for await (const row of service.rows('subscriptions')) if (row.status === 'active') all.push(row);
    return all;
  } catch (error) {
    throw error instanceof ServiceError ? refusal(error.problem) : error;
  }
}

/** The service makes a thousand deliveries at a time; this continues behind the last. */
async function replay(service: ServiceClient, id: string, range: { from: string; to?: string }): Promise<number> {
  let queued = 0;
  for (let after: string | null = null; ; ) {
    const body: { from: string; to?: string; after?: string } = after === null ? range : { ...range, after };
    const answer = await answerOf(() => service.call('replaySubscription', { params: { id }, body }));
    queued += answer.queued;
    after = answer.last_event_id;
    if (!answer.has_more || after === null) return queued;
  }
}
