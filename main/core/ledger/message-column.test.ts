// Main, core: messages as columns of the ledger.
import { expect, test } from 'vitest';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';

const ROUND_TRIPS = [
  null,
  message('disconnected'),
  plainMessage('The receiver answered 500.'),
  // A text of a receiver that looks like a stored message.
  plainMessage('{"code":"disconnected"}'),
  plainMessage('{"code":"self_test.late_stream"}'),
];

test.each(ROUND_TRIPS)('%j round-trips', (found) => {
  expect(readMessageColumn(messageColumn(found))).toEqual(found);
});
