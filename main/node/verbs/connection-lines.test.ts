// Test: what `tail` and `listen` say about their connection.
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { initialState } from '../../core/connection/state.ts';
import { createConnectionLines, showConnection } from './connection-lines.ts';

function lines() {
  const printed: string[] = [];
  return { printed, lines: createConnectionLines('http://127.0.0.1:8787', (line) => printed.push(line)) };
}
const { indicators } = initialState(0);
const OPEN = { ...indicators, open: { ...indicators.open, state: 'ok' as const } };
const cause = plainMessage('The service at 127.0.0.1:8787 does not answer (connection refused).');
const LOST = { since: '2026-03-02T14:30:00Z', cause };

test('a connection that never came says what, where and what to do, once for each reason', () => {
  const { printed, lines: found } = lines();
  for (let attempt = 0; attempt < 3; attempt += 1) showConnection(found, { outage: LOST, indicators, refused: null });
  expect(printed).toEqual([
    'barograph: not connected to http://127.0.0.1:8787: The service at 127.0.0.1:8787 does not answer (connection refused). It is tried again. Start the service, or see barograph doctor.',
  ]);
});

test('a connection is said once, and again after a loss', () => {
  const { printed, lines: found } = lines();
  showConnection(found, { outage: null, indicators, refused: null });
  expect(printed).toEqual([]);
  const connected = { outage: null, indicators: OPEN, refused: null };
  for (const state of [connected, connected, { ...connected, outage: LOST }, connected]) showConnection(found, state);
  expect(printed.map((line) => line.slice(0, 54))).toEqual([
    'barograph: connected to http://127.0.0.1:8787',
    'barograph: not connected to http://127.0.0.1:8787: The',
    'barograph: connected to http://127.0.0.1:8787 again',
  ]);
});

test('a service that refuses the stream and answers is connected, with the reason', () => {
  const { printed, lines: found } = lines();
  showConnection(found, { outage: null, indicators, refused: plainMessage('Too many streams.') });
  expect(printed).toEqual([
    'barograph: connected to http://127.0.0.1:8787, by polling, because the stream is refused: Too many streams.',
  ]);
});
