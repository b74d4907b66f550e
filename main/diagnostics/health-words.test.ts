// Test: how answers of /health are classified.
import { expect, test } from 'vitest';
import { readHealth } from './health-words.ts';

test.each([
  ['{"status":"ok"}', 'ok', 'healthy'],
  ['{"status":"UP"}', 'UP', 'healthy'],
  ['{"status":"pass","version":"1"}', 'pass', 'healthy'],
  ['{"health":"green"}', 'green', 'healthy'],
  ['{"healthy":true,"uptime":7}', 'healthy: true', 'healthy'],
  ['{"status":{"status":"healthy"}}', 'healthy', 'healthy'],
  ['OK', 'OK', 'healthy'],
  ['"up"', 'up', 'healthy'],
  ['{"status":"degraded"}', 'degraded', 'degraded'],
  ['{"Status":"yellow"}', 'yellow', 'degraded'],
  ['{"status":"OUT_OF_SERVICE"}', 'OUT_OF_SERVICE', 'down'],
  ['{"ok":false}', 'ok: false', 'down'],
  ['{"status":"not ok"}', 'not ok', 'unknown'],
  ['{"status":"purple"}', 'purple', 'unknown'],
  ['[1,2]', '[1,2]', 'unknown'],
  ['7', '7', 'unknown'],
  ['Hello, World!', 'Hello, World!', 'alive'],
  ['{"hello":"world"}', 'hello: world', 'alive'],
  ['{"message":"hello world"}', 'hello world', 'alive'],
  ['', null, 'alive'],
  ['{}', null, 'alive'],
  ['<!doctype html><p>ok', null, 'page'],
] as const)('%s', (body, said, means) => {
  expect(readHealth(body, 'application/json')).toEqual({ said, means });
});

test('a web page is recognised by its content type too, and a long text is cut', () => {
  expect(readHealth('ok', 'text/html; charset=utf-8').means).toBe('page');
  expect(readHealth(`x${' y'.repeat(500)}`, 'text/plain').said).toHaveLength(80);
});
