// Main, core: the window's queries that the service answers, or the ledger in its place.
import type { Memory } from '../archive/memory.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { ServiceAccess } from '../keys/service-access.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type CoreContext, mergeHandlers } from '../module.ts';
import type { RowTable } from '../rows.ts';
import type { CallRecord } from './call-record.ts';
import { createFeedHandlers } from './feeds.ts';
import { createPastStates } from './past-states.ts';
import { createQueryHandlers } from './queries.ts';
import { createStateDaysHandlers } from './state-days.ts';
import { createSubscriptionHandlers } from './subscriptions.ts';
import { createWorthHandlers } from './worth.ts';

export interface ServiceHandlerDeps {
  readonly context: CoreContext;
  readonly service: Pick<ServiceAccess, 'client' | 'mayAsk'>;
  readonly ledger: Pick<Ledger, 'entries' | 'shownGaps' | 'annotations' | 'notifications'>;
  readonly rows: Pick<RowTable, 'get'>;
  readonly vocabulary: Vocabulary;
  readonly memory: Memory;
  readonly calls: Pick<CallRecord, 'read'>;
  /** Reads the signals now. */
  readonly refresh: () => void;
  /** The relay's address, secret path included; null: none. */
  readonly ownUrl: () => string | null;
}

export function createServiceHandlers(deps: ServiceHandlerDeps) {
  const { context, service, ledger, rows, vocabulary, memory, calls, refresh, ownUrl } = deps;
  const { client, mayAsk } = service;
  const { calendarOf } = context;
  const { clock } = context.guard;
  const worldNow = context.world.now;
  const past = createPastStates({ client, mayAsk, memory, vocabulary, clock });
  return mergeHandlers([
    { handlers: createFeedHandlers({ client, mayAsk, refresh }) },
    { handlers: createSubscriptionHandlers({ client, mayAsk, ownUrl }) },
    { handlers: createWorthHandlers({ client, mayAsk, ledger, rows, clock, worldNow, calendarOf }) },
    { handlers: createStateDaysHandlers({ ledger, rows, past, worldNow, calendarOf }) },
    { handlers: createQueryHandlers({ client, mayAsk, ledger, clock, worldNow, memory, vocabulary, calls }) },
  ]);
}
