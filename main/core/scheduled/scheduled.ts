// Main, core: keeps what is due across runs, refreshes it, and answers rules and notifications at once.
import type { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import {
  type ScheduleView,
  ScheduleViewSchema,
  type scheduledChannels,
  scheduleOf,
} from '../../../shared/channels/scheduled.ts';
import {
  type DueEvent,
  type DueQuestion,
  dueWithin,
  isCovered,
  lastDayOf,
  SCHEDULED_KINDS,
} from '../../../shared/domain/scheduled-events.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Memory } from '../archive/memory.ts';
import { isFields } from '../compat/fields.ts';
import { cannotShow, notUnderstood } from '../compat/refusals.ts';
import type { CoreContext, CoreModule } from '../module.ts';

/** What is due for rules and notifications. */
export interface DueLookup {
  /** The events, next first, and whether no other is due by the lists. */
  due(question: DueQuestion): { readonly events: readonly DueEvent[]; readonly isWhole: boolean };
  /** Lists that could not be read. */
  unread(): readonly string[];
}

export interface Scheduled extends CoreModule, DueLookup {
  readonly handlers: Handlers<typeof scheduledChannels>;
}

export interface ScheduledDeps {
  readonly context: Pick<CoreContext, 'guard' | 'ports'>;
  readonly client: Pick<Client, 'read'>;
  readonly mayAsk: () => boolean;
  readonly memory: Pick<Memory, 'one' | 'known'>;
}

const CHECK_EVERY = MINUTE_MS;
const GOOD_FOR = 15 * MINUTE_MS;
/** For a service without lists, which may get some. */
const EMPTY_GOOD_FOR = HOUR_MS;
const WHAT = message('data.scheduled');

export function createScheduled({ context, client, mayAsk, memory }: ScheduledDeps): Scheduled {
  const { clock, go } = context.guard;
  let latest: ScheduleView | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const ask = async (): Promise<ScheduleView> => {
    askedAt = clock.now();
    const answer = mayAsk() ? await client.read('scheduled') : null;
    const { kind, status = null } = answer?.ok === false ? answer.error : { kind: null };
    if (kind === 'not_found' || status === 405 || status === 501)
      return viewOf({ events: [], sources: [] }, clock.now());
    if (answer?.ok !== true) throw cannotShow(WHAT, null, answer?.error ?? null);
    return viewOf(answer.value.value, clock.now());
  };
  const read = async (): Promise<ScheduleView> => {
    latest = await memory.one('scheduled.read', '', ask);
    return latest;
  };
  const refresh = async (): Promise<void> => {
    await read().catch((error) =>
      context.ports.logger.debug({ problem: messageOf(error) }, 'what is due is not known'),
    );
  };
  const goodFor = (): number => (latest?.sources.length === 0 ? EMPTY_GOOD_FOR : GOOD_FOR);
  const isFresh = (): boolean => latest !== null && Math.abs(clock.now() - Date.parse(latest.read_at)) < goodFor();
  return {
    handlers: { 'scheduled.read': async () => (latest !== null && isFresh() ? latest : read()) },
    due(question) {
      const schedule = latest === null ? null : scheduleOf(latest);
      const kinds = question.kinds ?? SCHEDULED_KINDS;
      return {
        events: dueWithin(schedule?.events ?? [], question),
        isWhole: schedule !== null && isCovered(schedule, kinds, lastDayOf(question), clock.now()),
      };
    },
    unread: () => latest?.sources.flatMap(({ name, error }) => (error === null ? [] : name)) ?? [],
    start() {
      latest = memory.known('scheduled.read', '');
      cancel = every(clock, CHECK_EVERY, () => {
        if (mayAsk() && Math.abs(clock.now() - askedAt) >= goodFor()) go(refresh());
      });
    },
    stop: () => cancel(),
  };
}

const { events: EventsSchema, sources: SourcesSchema } = ScheduleViewSchema.shape;

/** A row that cannot be read makes what is due unknown. */
function viewOf(value: unknown, now: number): ScheduleView {
  if (!isFields(value) || !Array.isArray(value.events) || !Array.isArray(value.sources)) throw notUnderstood(WHAT);
  const events = rowsOf(EventsSchema.element, value.events);
  const sources = rowsOf(SourcesSchema.element, value.sources);
  const lost = value.events.length + value.sources.length - events.length - sources.length;
  const unread = { name: 'the service', error: `${lost} of its rows cannot be read`, covers: [] };
  return { events, sources: lost === 0 ? sources : [...sources, unread], read_at: timestamp(now) };
}

const rowsOf = <Row>(schema: z.ZodType<Row>, rows: readonly unknown[]): Row[] =>
  rows.flatMap((row) => schema.safeParse(row).data ?? []);
