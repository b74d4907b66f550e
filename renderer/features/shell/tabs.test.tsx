// Test: which pages have a tab, and where the others are.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useRoute } from '../../store/route.ts';
import { PAGES, TABS, tabOf } from './pages.ts';
import { Tabs } from './title-bar.tsx';

test('the window has five tabs, on the keys 1 to 5; the news are under the tab of the briefings, on the key 6', () => {
  expect(TABS.map(({ label }) => label)).toEqual(['Watch', 'Alerts', 'Briefings', 'Record', 'Settings']);
  expect(PAGES.slice(0, TABS.length)).toEqual(TABS);
  expect(PAGES.slice(TABS.length).map((page) => [page.label, tabOf(page)])).toEqual([['News', 'briefings']]);
});

function Shown() {
  const page = useRoute((route) => route.page);
  return (
    <>
      <Tabs label="Pages" pages={TABS} current="watch" />
      <output aria-label="page">{page}</output>
    </>
  );
}

test('a tab opens its page', async () => {
  const { user } = await renderInWindow(<Shown />);
  await user.click(screen.getByRole('button', { name: 'Record' }));
  expect(screen.getByRole('status', { name: 'page' }).textContent).toBe('record');
});
