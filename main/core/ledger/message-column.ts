// Main, core: encodes messages as columns of the ledger; earlier versions stored plain text.
import { type Message, readStoredMessage, storedMessage, textOf } from '../../../shared/text/message.ts';

/** Largest column, characters. */
const MAX_LENGTH = 500;

/** A longer message is kept as the beginning of its text. */
export function messageColumn(found: Message | null): string {
  if (found === null) return '';
  const text = textOf(found);
  // Plain text is stored as it is, unless it begins like an encoded message.
  const column = found.code === 'text' && !text.startsWith('{') ? text : storedMessage(found);
  return column.length <= MAX_LENGTH ? column : text.slice(0, MAX_LENGTH);
}

export const readMessageColumn = (column: string): Message | null => (column === '' ? null : readStoredMessage(column));
