// Test: the first steps: three, forward and back, left at any time for good; the second makes an alert happen.
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { preferences } from '../../store/preferences.ts';
import { SandboxIntro } from './intro.tsx';

afterEach(() => preferences.showIntroStep(0));

async function open(isRefused = false) {
  const rig = await renderInWindow(<SandboxIntro onKeySheet={() => undefined} />, {
    'profiles.read': () => profiles(),
    'sandbox.raise': () => (isRefused ? refuse('This key may not.') : {}),
  });
  const press = async (name: string | RegExp) => rig.user.click(await screen.findByRole('button', { name }));
  return { ...rig, press };
}

test('three steps lead from a state to a real market; the second makes the symbol in view High Risk', async () => {
  const { press, calls } = await open();
  expect(await screen.findByText('Step 1 of 3')).toBeDefined();
  await press('Next');
  await press(/^Make \w+ High Risk$/);
  expect(calls.map(({ name }) => name)).toEqual(['sandbox.raise']);
  expect((await screen.findByText(/ is High Risk\.$/)).tagName).toBe('OUTPUT');
  await press('Next');
  expect(screen.getByRole('button', { name: 'Follow coins' })).toBeDefined();
  await press('Back');
  expect(screen.getByText('Step 2 of 3')).toBeDefined();
});

test('a refusal of the service is said', async () => {
  const { press } = await open(true);
  await press('Next');
  await press(/^Make \w+ High Risk$/);
  expect(await screen.findByText('This key may not.')).toBeDefined();
});

test('the steps can be left at any time, for good', async () => {
  const { press } = await open();
  await press('Leave the first steps');
  expect(screen.queryByText(/^Step/)).toBeNull();
  expect(preferences.read().introRead).toBe(true);
});
