// Pure: messages are rendered, nested, checked and stored.
import { expect, test } from 'vitest';
import { MessageSchema, message, plainMessage, readStoredMessage, storedMessage, textOf } from './message.ts';

const nested = message('service.cannot_show', { what: 'The history of SPY', why: message('disconnected') });

test('a value that is a message is rendered first', () => {
  expect(textOf(nested)).toBe('The history of SPY cannot be shown. Barograph is not connected.');
});

test('the schema takes known codes only', () => {
  expect(MessageSchema.parse(JSON.parse(JSON.stringify(nested)))).toEqual(nested);
  expect(MessageSchema.safeParse({ code: 'no.such_code' }).success).toBe(false);
  expect(MessageSchema.safeParse({ code: 'constructor' }).success).toBe(false);
});

test('a stored message returns, and a text of an earlier version is kept as it is', () => {
  expect(readStoredMessage(storedMessage(nested))).toEqual(nested);
  for (const text of ['the desktop was away', '{"code":"of a later version"}', '{broken'])
    expect(readStoredMessage(text)).toEqual(plainMessage(text));
});

test('a stored message whose values do not fit its text is kept as text', () => {
  const misfit = JSON.stringify({ code: 'self_test.late_stream', values: {} });
  expect(readStoredMessage(misfit)).toEqual(plainMessage(misfit));
});
