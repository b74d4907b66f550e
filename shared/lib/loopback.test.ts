// Test: which names and addresses are this computer's own.
import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '::1', '[::1]', '127.0.0.1', '127.0.0.2'])('%s is this computer', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['', '0.0.0.0', '::', '127.evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1'])(
  '"%s" may be another one',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
