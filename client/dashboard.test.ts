// Test: addresses of a dashboard.
import { expect, test } from 'vitest';
import { linkOf } from '../shared/wire/dashboard.ts';
import { readDashboardAddress } from './dashboard.ts';

test.each([
  ['http://127.0.0.1:8788', 'http://127.0.0.1:8788', null],
  ['http://127.0.0.1:8788/', 'http://127.0.0.1:8788', null],
  ['https://risk.example/desk/', 'https://risk.example/desk', null],
  ['https://risk.example/desk/api/proxy', 'https://risk.example/desk', null],
  ['https://risk.example/api/proxy/', 'https://risk.example', null],
  [linkOf('http://127.0.0.1:8788', 'abc_-1'), 'http://127.0.0.1:8788', 'abc_-1'],
])('%s', (given, dashboard, token) => {
  expect(readDashboardAddress(given)).toEqual({ dashboard, proxy: `${dashboard}/api/proxy`, token });
});

test.each(['', 'desk', 'ftp://risk.example'])('"%s" is none', (given) => {
  expect(readDashboardAddress(given)).toBeNull();
});
