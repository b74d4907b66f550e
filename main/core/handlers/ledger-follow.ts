// Main, core: the entries of the ledger for a terminal that prints each once.
import type { LedgerEntry } from '../../../shared/channels/ledger.ts';
import { SECOND_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Relay } from '../relay/relay.ts';

/** Entries of one answer. */
const CHUNK = 200;
/** Longest wait for an entry, ms: shorter than the time limit of a call. */
const LONGEST_WAIT = 20 * SECOND_MS;

export interface LedgerFollowDeps {
  readonly context: Pick<CoreContext, 'guard'>;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly relay: Pick<Relay, 'start' | 'printed'>;
}

export function createLedgerFollow({ context, ledger, relay }: LedgerFollowDeps) {
  const { clock } = context.guard;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const end of [...waiting]) end();
  };
  let isStopped = false;
  const entry = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(LONGEST_WAIT, () => end());
      const end = (): void => {
        cancel();
        waiting.delete(end);
        resolve();
      };
      waiting.add(end);
    });
  return {
    handlers: {
      async 'ledger.follow'({ printed }) {
        // It keeps the position.
        await relay.start();
        const kept = relay.printed.get();
        // Of two terminals one may be behind.
        if (printed !== null && printed > kept) relay.printed.set(printed);
        const after = printed ?? kept;
        let rows = ledger.entries.after(after, CHUNK);
        if (rows.length === 0 && !isStopped) {
          await entry();
          // The ledger may be closed now.
          rows = isStopped ? [] : ledger.entries.after(after, CHUNK);
        }
        return { entries: rows.map(entryOf) };
      },
    },
    on: { recorded: wake, ledgerWritten: wake },
    stop() {
      isStopped = true;
      wake();
    },
  } satisfies CoreModule;
}

const entryOf = (row: EntryRow): LedgerEntry => ({
  ledger_id: row.ledger_id,
  event_id: row.event_id,
  seq: row.seq,
  event: row.event,
  symbol: row.symbol,
  to_state: row.transition?.to_state ?? null,
  state_name: row.transition?.state_name ?? null,
  state_word: row.transition?.state_word,
  occurred_at: timestamp(row.occurredAt),
  received_at: timestamp(row.received_ms),
  sources: row.sources.split(','),
  body: JSON.parse(row.body),
});
