// Main, core: describes the stream for the connection page. Pure.
import type { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { StreamDetailsSchema } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Breaks } from './breaks.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Phase } from './machine.ts';
import type { Watermark } from './watermark.ts';

export type StreamDetails = z.infer<typeof StreamDetailsSchema>;

export interface StreamDetailsSources {
  readonly client: Pick<Client, 'baseUrl'>;
  readonly clock: Clock;
  readonly phase: Phase;
  readonly heartbeat: Heartbeat;
  readonly breaks: Pick<Breaks, 'list'>;
  readonly ledger: Pick<Ledger, 'cursor'>;
  readonly watermark: Pick<Watermark, 'seenUntil'>;
}

export function streamDetails(sources: StreamDetailsSources): StreamDetails {
  const { client, clock, phase, heartbeat, breaks, ledger, watermark } = sources;
  const lastByteAt = heartbeat.lastByteAt();
  const { eventId, seq } = ledger.cursor();
  return {
    url: new URL('stream', client.baseUrl).href,
    phase: phase.name,
    events: [...EVENT_NAMES],
    open_since: phase.name === 'open' ? timestamp(phase.since) : null,
    last_byte_at: lastByteAt === null ? null : timestamp(lastByteAt),
    heartbeat: heartbeat.interval(),
    limit: heartbeat.limit(),
    beats: heartbeat.beats(clock.now()).map(({ at, gap }) => ({ at: timestamp(at), gap })),
    breaks: breaks.list(),
    cursor: { event_id: eventId, seq },
    contiguous_to: watermark.seenUntil(),
  };
}
