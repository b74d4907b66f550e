// Main, command line: `barograph replay`: sends what happened within a range once more to webhook subscriptions, the same bytes under the same ids.
import { connect, type ServiceClient, ServiceError, type Subscription } from '../../../client/index.ts';
import { MomentSchema } from '../../../shared/wire/primitives.ts';
import { UsageError } from '../../core/host/command-line.ts';
import { takeKeyFromEnvironment } from '../../core/host/secrets.ts';
import { type ServiceFlags, serviceOf } from './service-flags.ts';

export interface ReplayFlags extends ServiceFlags {
  readonly subscription: string;
  readonly from: string;
  readonly to?: string;
}

/** Prints one line per subscription: its id, its address, and how many deliveries were made. */
export async function replayVerb({ subscription, from, to, ...flags }: ReplayFlags): Promise<void> {
  for (const [name, moment] of [['--from', from] as const, ...(to === undefined ? [] : [['--to', to] as const])])
    if (!MomentSchema.safeParse(moment).success)
      throw new UsageError(
        `${name} ${moment}: it must be an ISO 8601 date, or a date-time with Z or an offset, like 2026-03-02T14:30:00Z.`,
      );
  const { url, key } = serviceOf(flags, takeKeyFromEnvironment(process.env));
  const service = connect({ baseUrl: url, ...(key === null ? {} : { key }) });
  const subscriptions = await wanted(service, subscription);
  if (subscriptions.length === 0) console.error('barograph: The service has no active webhook subscription; nothing was sent.');
  for (const one of subscriptions) {
    const queued = await replay(service, one.id, { from, ...(to === undefined ? {} : { to }) });
    console.log([one.id, one.url, queued].join('\t'));
  }
}

async function wanted(service: ServiceClient, id: string): Promise<Subscription[]> {
  if (id !== 'all') {
    const found = await service.call('subscription', { params: { id } });
    if (!found.ok) throw refusal(new ServiceError(found.error));
    return [found.value.value];
  }
  try {
    const all: Subscription[] = [];
    for await (const row of service.rows('subscriptions')) if (row.status === 'active') all.push(row);
    return all;
  } catch (thrown) {
    throw thrown instanceof ServiceError ? refusal(thrown) : thrown;
  }
}

/** The service makes a thousand deliveries at a time; whoever wants all of them goes on behind the last. */
async function replay(service: ServiceClient, id: string, range: { from: string; to?: string }): Promise<number> {
  let queued = 0;
  for (let after: string | null = null; ; ) {
    const body: { from: string; to?: string; after?: string } = after === null ? range : { ...range, after };
    const answer = await service.call('replaySubscription', { params: { id }, body });
    if (!answer.ok) throw refusal(new ServiceError(answer.error));
    const { value } = answer.value;
    queued += value.queued;
    after = value.last_event_id;
    if (!value.has_more || after === null) return queued;
  }
}

const refusal = ({ problem: { message, code } }: ServiceError): Error =>
  new Error(code === '' ? message : `The service refused: ${message} (${code})`);
