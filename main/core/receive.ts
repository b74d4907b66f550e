// Main, core: the one way into the ledger, for every source; and what follows, in order: written, then notified, then shown.
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { RowTable } from '../state/rows.ts';
import type { CoreState } from '../state/state.ts';
import { baselineAt } from './baseline.ts';
import type { Evaluator, IngestResult, Ledger } from './ledger.ts';

export interface Intake {
  /**
   * Writes the events, dispatches notifications, moves rows and lists.
   * @param after set when they are a page of the service's own list: the event that it follows on
   * @param proof what vouches for them, as text: "signature verified"
   * @throws when the ledger cannot be written; nothing was notified then
   */
  take(source: ArrivalSource, events: readonly ReceivedEvent[], after?: string | null, proof?: string): IngestResult;
}

export interface IntakeDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly evaluate: Evaluator;
  /** Called after every write that came from outside: intents to hand over, alerts that wait. */
  readonly written: (ingested: IngestResult) => void;
  readonly rows: RowTable;
  readonly state: CoreState;
}

export function createIntake({ clock, ledger, evaluate, written, rows, state }: IntakeDeps): Intake {
  return {
    take(source, events, after, proof) {
      const receivedAt = clock.now();
      const page = { ...(after === undefined ? {} : { after }), ...(proof === undefined ? {} : { proof }) };
      const before = ledger.cursor();
      const ingested = ledger.ingest({ source, events, receivedAt, evaluate, ...page });
      written(ingested);

      const signals: number[] = [];
      const receivedTimestamp = timestamp(receivedAt);
      for (const { ledgerId, event } of ingested.added) {
        if (event.transition !== null) {
          signals.push(ledgerId);
          rows.moved(event.transition, receivedTimestamp);
        } else if (event.event === 'regime.flip') noteRegime(event, rows, receivedTimestamp);
      }
      state.touchAlerts([...signals, ...ingested.merged]);
      state.touchRows(rows.takeChanged());
      if (ingested.added.length > 0) state.touch('ledger');
      // While the past is read for the first time, the stream is ahead of what was read, and nothing is missing in it.
      const isRead = before.seq !== null && baselineAt(ledger.metadata) === null;
      const isHole = source === 'stream' && ingested.hasPending && isRead && !ingested.replaced;
      const opened = isHole && openHole(ledger, receivedAt);
      if (ingested.gaps || opened) state.touch('gaps');
      return ingested;
    },
  };
}

/** The hole begins where the cursor stands. */
function openHole(ledger: Ledger, otherwise: number): boolean {
  const { seq, eventId } = ledger.cursor();
  const from = (eventId === null ? undefined : ledger.entries.occurredAt(eventId)) ?? otherwise;
  return ledger.openGap('hole', timestamp(from), null, `The stream left something out after event ${seq}.`);
}

function noteRegime(event: ReceivedEvent, rows: RowTable, receivedTimestamp: string): void {
  const parsed: { data?: { to_regime?: unknown } } = JSON.parse(event.body);
  const regime = parsed.data?.to_regime;
  if (event.symbol !== null && typeof regime === 'string') rows.regime(event.symbol, regime, receivedTimestamp);
}
