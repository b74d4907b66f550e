// Main, core: the relay's dependencies on the rest of the core.
import type { Client } from '../../../client/client.ts';
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { EntryStore } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';

export interface RelayDeps {
  /** Without the port `relay` this program cannot listen, and the relay is idle. */
  readonly context: CoreContext;
  readonly service: {
    readonly url: string;
    readonly client: Pick<Client, 'read' | 'page'>;
    mayAsk(): boolean;
  };
  readonly ledger: Pick<Ledger, 'count' | 'cursor' | 'hasPending' | 'unwritten'> & {
    readonly entries: Pick<EntryStore, 'after' | 'occurredAt' | 'findById' | 'byLedgerIds'>;
  };
  readonly vocabulary: Vocabulary;
  /** Records deliveries in the ledger. */
  readonly receive: Receive;
  /** Asks the service for missing events. */
  readonly catchUp: () => void;
  readonly broadcast: (name: 'relay.changed', view: RelayView) => void;
}

/** True when the ledger has this event already. */
export const isKnown = ({ entries }: { readonly entries: Pick<EntryStore, 'occurredAt'> }, eventId: string): boolean =>
  entries.occurredAt(eventId) !== undefined;
