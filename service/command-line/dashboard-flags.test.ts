// Service, test: the warnings at the start of a dashboard.
import { expect, test } from 'vitest';
import { type DashboardFlags, dashboardWarnings } from './dashboard-flags.ts';

const NONE: DashboardFlags = {
  dashboardHost: null,
  dashboardUrl: null,
  dashboardOpen: false,
  dashboardScopes: null,
  publicUrl: null,
};
const warned = (flags: Partial<DashboardFlags>) =>
  dashboardWarnings({ ...NONE, ...flags }, 'http://127.0.0.1:8788').join('\n');

test.each([
  {},
  { dashboardHost: '127.0.0.2' },
  { dashboardHost: 'localhost' },
  { dashboardHost: '::1' },
  { dashboardHost: '0.0.0.0', dashboardUrl: 'https://desk.example' },
  { dashboardHost: '0.0.0.0', publicUrl: 'https://desk.example' },
  { dashboardUrl: 'http://localhost:9000' },
])('of nothing: %o', (flags) => {
  expect(warned(flags)).toBe('');
});

test.each([
  { dashboardHost: '0.0.0.0' },
  { dashboardHost: '127.evil.example' },
  { dashboardHost: '0.0.0.0', dashboardUrl: 'http://desk.example' },
  { dashboardUrl: 'http://desk.example' },
])('of plain http that others reach: %o', (flags) => {
  expect(warned(flags)).toMatch(/plain http.*Put TLS in front/);
});

test('an open dashboard warns that every user of this computer has access, and to what', () => {
  expect(warned({ dashboardOpen: true })).toMatch(/every program and user of this computer .* \(read\)$/);
  expect(warned({ dashboardOpen: true, dashboardScopes: ['read', 'trigger'] })).toMatch(/\(read, trigger\)$/);
});
