// Main, core: finds the alert of a named event, or a named symbol's alerts that need attention.
import { refused } from '../../../shared/channels/channel.ts';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Attention } from './attention.ts';

export interface NamedAlertDeps {
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly attention: Pick<Attention, 'read'>;
}

/**
 * @param name id of an event, or a symbol in any case
 * @throws RefusedError where it names none
 */
export function alertsNamed(name: string, { ledger, attention }: NamedAlertDeps): readonly EntryRow[] {
  const known = ledger.entries.findById(name);
  const ids = known === undefined ? [...attention.read()] : [known.ledger_id];
  const symbol = normalizeSymbol(name);
  const found = ledger.entries
    .byLedgerIds(ids)
    .filter(({ transition, crossing, foreign, breadth }) => (transition ?? crossing ?? foreign ?? breadth) != null);
  const named = known === undefined ? found.filter((entry) => entry.symbol === symbol) : found;
  if (named.length > 0) return named;
  throw refused(
    known === undefined ? message('alert.not_named', { name, symbol }) : message('alert.no_alert', { name }),
  );
}
