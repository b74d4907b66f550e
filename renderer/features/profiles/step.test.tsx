// Test: the last step of a dialog that added a profile.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { AddedStep } from './step.tsx';

test('an added profile is active when its service has started; until then its progress is said, or its failure', async () => {
  const { push } = await renderInWindow(<AddedStep number={2} name="prices" />, { 'profiles.read': () => profiles() });
  const [own] = profiles().profiles;
  if (own === undefined) throw new Error('no profile');
  const is = (status: ProfileEntry['status'], why: string | null) => {
    const added = { ...own, name: 'prices', status, message: why === null ? null : plainMessage(why) };
    return push('profiles.changed', profiles({ profiles: [own, added] }));
  };
  const heading = () => screen.getByRole('heading').textContent;
  expect(heading()).toBe('prices is added, and its service is starting');
  await is('opening', 'Reading price files: 3 of 150 files (2 %)');
  expect(heading()).toBe('prices is added, and its service is starting');
  expect(screen.getByText('Reading price files: 3 of 150 files (2 %)')).toBeDefined();
  await is('failed', 'The folder is gone.');
  expect(heading()).toBe('prices is added, but its service did not start');
  expect(screen.getByText('The folder is gone.')).toBeDefined();
  await is('connected', null);
  expect(heading()).toBe('prices is active');
});
