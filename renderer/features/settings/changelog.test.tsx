// Test: what changed is shown after an update, once, and on request.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { shellView } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { preferences } from '../../store/preferences.ts';
import { About } from './about.tsx';
import { Updated, useUpdated } from './changelog.tsx';

function Notice() {
  const version = useUpdated();
  return version === null ? <p>no notice</p> : <Updated version={version} />;
}
const run = (version: string) => renderInWindow(<Notice />, { 'shell.read': () => shellView({ version }) });

beforeEach(() => preferences.seeVersion(null));

test('the first version that a user meets is no update', async () => {
  await run('0.1.0');
  expect([screen.getByText('no notice').tagName, preferences.read().seenVersion]).toEqual(['P', '0.1.0']);
});

test('an update has a notice with its changes, until it is closed', async () => {
  preferences.seeVersion('0.1.0');
  const { user } = await run('0.2.0');
  await user.click(screen.getByRole('button', { name: 'What changed' }));
  expect((await screen.findByRole('dialog', { name: 'What changed' })).textContent).toContain('0.1.0');
  await user.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Hide this notice' }));
  await waitFor(() => expect(screen.getByText('no notice').tagName).toBe('P'));
});

test('the settings show the changes on request', async () => {
  const { user } = await renderInWindow(<About />);
  await user.click(screen.getByRole('button', { name: 'What changed' }));
  expect((await screen.findByRole('dialog', { name: 'What changed' })).textContent).toContain('0.1.0');
});
