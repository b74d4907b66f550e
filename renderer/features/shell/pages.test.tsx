// Test: which pages have a tab, and where the others are.
import { expect, test } from 'vitest';
import { PAGES, TABS, tabOf } from './pages.ts';

test('the window has five tabs, on the keys 1 to 5; the news are under the tab of the briefings, on the key 6', () => {
  expect(TABS.map(({ label }) => label)).toEqual(['Watch', 'Alerts', 'Briefings', 'Record', 'Settings']);
  expect(PAGES.slice(0, TABS.length)).toEqual(TABS);
  expect(PAGES.slice(TABS.length).map((page) => [page.label, tabOf(page)])).toEqual([['News', 'briefings']]);
});
