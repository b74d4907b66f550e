// Service, routes, test: signed cursors.
import { assert, property, string, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { createCursors } from './cursor.ts';

const cursors = createCursors(Buffer.from('a secret'));
const scope = { list: 'events', symbol: 'SPY' };

test('a sealed cursor opens for the same scope', () => {
  expect(cursors.open(scope, cursors.seal(scope, [1_772_461_800_000, 17]))).toEqual([1_772_461_800_000, 17]);
  expect(cursors.open(scope, cursors.seal(scope, ['2026-03-02']))).toEqual(['2026-03-02']);
});

test('another scope, another service and any other text are refused', async () => {
  const cursor = cursors.seal(scope, [1, 2]);
  expect(() => cursors.open({ ...scope, symbol: 'QQQ' }, cursor)).toThrow(Refusal);
  expect(() => createCursors(Buffer.from('another')).open(scope, cursor)).toThrow(Refusal);
  expect(() => cursors.open(scope, `${cursor}=`)).toThrow(Refusal);
  expect(() => cursors.open(scope, ` ${cursor}`)).toThrow(Refusal);
  await assert(property(string(), (text) => void expect(() => cursors.open(scope, text)).toThrow(Refusal)));
  await assert(
    property(
      uint8Array(),
      (bytes) => void expect(() => cursors.open(scope, Buffer.from(bytes).toString('base64url'))).toThrow(Refusal),
    ),
  );
});
