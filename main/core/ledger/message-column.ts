// Main, core: messages as columns of the ledger. Ledgers of earlier versions hold plain text.
import { type Message, readStoredMessage, storedMessage, textOf } from '../../../shared/text/message.ts';

/** Characters. */
const MAX_LENGTH = 500;

/** A longer message is kept as the beginning of its text. */
export function messageColumn(found: Message | null): string {
  if (found === null) return '';
  const text = textOf(found);
  // A plain text is readable in the file; one that begins like a message would be read as one.
  const column = found.code === 'text' && !text.startsWith('{') ? text : storedMessage(found);
  return column.length <= MAX_LENGTH ? column : text.slice(0, MAX_LENGTH);
}

export const readMessageColumn = (column: string): Message | null => (column === '' ? null : readStoredMessage(column));
