// Main, command line: `barograph tail`: prints the events of a service as they happen.
// It has neither a ledger nor a profile.

import { ServiceError, type ServiceProblem } from '../../../client/index.ts';
import { STATES, stateLabel } from '../../../shared/domain/states.ts';
import { type EventEnvelope, signalEvent } from '../../../shared/wire/events.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { onEnd } from '../../host/end-signal.ts';
import { systemClock } from '../../host/system-clock.ts';
import { createConnectionLines } from './connection-lines.ts';
import { connectTo, refusal, type ServiceFlags } from './service-flags.ts';

export interface TailFlags extends ServiceFlags {
  readonly symbols?: string;
  readonly severity?: string;
  readonly regime?: string;
  readonly events?: string;
  readonly after?: string;
  readonly json?: boolean;
}

/**
 * Runs until a signal ends it, or until its output is closed. stdout: one line per event. stderr: why a
 * connection ended, that there is one again, and which events may be missing.
 */
export async function tailVerb({
  symbols,
  severity,
  regime,
  events,
  after,
  json,
  ...service
}: TailFlags): Promise<void> {
  const given = Object.entries({ symbols, severity, regime, events }).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given);
  const read = routes.stream.query.safeParse(query);
  if (!read.success)
    throw new UsageError(`--${String(read.error.issues[0]?.path[0])}: ${read.error.issues[0]?.message}.`);
  const client = connectTo(service);
  const over = new AbortController();
  const end = (): void => over.abort();
  const stopWatching = onEnd(process.env, systemClock, end);
  process.stdout.on('error', end);
  const lines = createConnectionLines(client.baseUrl.origin);
  const options = {
    query,
    ...(after === undefined ? {} : { after }),
    signal: over.signal,
    onConnect: (beginning: string) => {
      lines.connected();
      if (beginning === 'lost')
        lines.say('The service no longer keeps the last event that was seen: some may be missing.');
    },
    onProblem: ({ kind, message }: ServiceProblem) =>
      kind === 'unreadable' ? lines.say(message) : lines.lost(message),
  };
  try {
    for await (const event of client.events(options))
      process.stdout.write(`${json === true ? JSON.stringify(event) : lineOf(event)}\n`);
  } catch (error) {
    throw error instanceof ServiceError ? refusal(error.problem) : error;
  } finally {
    stopWatching();
    client.close();
  }
}

function lineOf({ event, event_id, timestamp, data }: EventEnvelope): string {
  const state = STATES.find((one) => event === signalEvent(one));
  const symbol = 'symbol' in data && typeof data.symbol === 'string' ? data.symbol : '';
  return oneLine([timestamp, symbol, state === undefined ? event : stateLabel(state), event_id].join('  '));
}
