// Test: a window reports its zone at the user's choice, and at its start if none was reported.
import { act } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { preferences } from '../../store/preferences.ts';
import { useNotificationZone } from './frame.tsx';

afterEach(() => act(() => preferences.setZone('market')));

function Reporter() {
  useNotificationZone();
  return null;
}
const open = async (zone: 'market' | 'utc' | null) =>
  renderInWindow(<Reporter />, { 'alerting.read': () => alerting({ zone }), 'notificationZone.save': () => ({}) });
const report = (zone: string) => ({ name: 'notificationZone.save', input: { zone } });

test('each choice of a zone is reported for notifications, and nothing else', async () => {
  const { calls } = await open('utc');
  expect(calls).toEqual([]);
  act(() => preferences.setZone('local'));
  act(() => preferences.setZone('market'));
  expect(calls).toEqual([report('local'), report('market')]);
});

test('a window that was set before reports its zone once', async () => {
  preferences.setZone('utc');
  const { calls, push } = await open(null);
  expect(calls).toEqual([report('utc')]);
  await act(() => push('alerting.changed', alerting({ zone: 'utc' })));
  expect(calls).toHaveLength(1);
});
