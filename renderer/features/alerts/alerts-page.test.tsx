// Test: the page Alerts: its red button counts all that needs attention, and leads to where it is listed.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Alert } from '../../../shared/channels/state.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { alert, priceAlert, row, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { goTo, openAlertSection } from '../../store/route.ts';
import { AlertsPage } from './alerts-page.tsx';

const CROSSED = priceAlert('QQQ', 9);

async function openAtRules(alerts: Alert[]) {
  openAlertSection('rules');
  return renderInWindow(<AlertsPage />, {
    'state.snapshot': () => snapshot({ rows: [row('SPY', 2), row('QQQ', 0)], alerts, local_alerts: [CROSSED] }),
    'alerting.read': () => alerting(),
    'alerts.read': () => ({ rows: [], next: null }),
    'localAlerts.read': () => ({ rows: [], next: null }),
  });
}

test('price alerts alone: the button counts them and leads to their section', async () => {
  const { user } = await openAtRules([]);
  await user.click(screen.getByRole('button', { name: '1 needs attention' }));
  expect(screen.getByRole('button', { name: 'Prices and others 1' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.queryByRole('button', { name: '1 needs attention' })).toBeNull();
});

test('with a High Risk the button of price alerts counts both and leads to the inbox', async () => {
  const { user } = await openAtRules([alert(transition('SPY', 1, 2, T0), 3, { notification_status: 'notified' })]);
  await user.click(screen.getByRole('button', { name: '2 need attention' }));
  expect(screen.getByRole('button', { name: 'Inbox' }).getAttribute('aria-pressed')).toBe('true');
});

test('a price alert that is older than those of the snapshot is opened in its section, with its reasons', async () => {
  const old = priceAlert('SPY', 2, { needs_attention: false });
  const trace = { ledger_id: 2, event_id: 'price:dip:SPY:2', event: 'price.crossed', steps: [], silent: [] };
  goTo({ page: 'alerts', item: '2' });
  await renderInWindow(<AlertsPage />, {
    'state.snapshot': () => snapshot({ rows: [row('SPY', 0)], local_alerts: [CROSSED] }),
    'alerting.read': () => alerting(),
    'alerts.read': () => ({ rows: [], next: null }),
    'alerts.trace': () => trace,
    'localAlerts.read': ({ before }) => (before === null ? { rows: [CROSSED], next: 9 } : { rows: [old], next: null }),
  });
  expect(await screen.findByRole('complementary', { name: 'Why' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Prices and others 1' }).getAttribute('aria-pressed')).toBe('true');
});
