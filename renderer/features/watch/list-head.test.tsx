// Test: the head of the watchlist and of its sections: menus that choose, name, move and remove.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { preferences } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { ListHead } from './list-head.tsx';
import { SectionHead } from './section-head.tsx';

const DESK: Watchlist = {
  id: 'desk',
  name: 'Desk list',
  sections: [
    { name: 'Core', symbols: ['SPY', 'QQQ'] },
    { name: 'Rates', symbols: ['TLT'] },
  ],
};
const WORLD: Watchlist = { id: 'world', name: 'World', sections: [{ name: 'Asia', symbols: ['EWJ'] }] };

/** The head of the first list, and of its first section. */
function Heads() {
  const [list] = useSnapshot((now) => now.watchlists);
  const section = list?.sections[0];
  if (list === undefined || section === undefined) return null;
  const head = { kind: 'head', name: section.name, section: 0, symbols: section.symbols } as never;
  return (
    <>
      <ListHead list={list} />
      <table>
        <tbody>
          <SectionHead list={list} head={head} cells={3} index={1} isDrop={false} />
        </tbody>
      </table>
    </>
  );
}

async function open(lists: Watchlist[] = [DESK, WORLD]) {
  const saved: Watchlist[][] = [];
  const handlers: CoreHandlers = {
    'state.snapshot': () =>
      snapshot({ watchlists: lists, selected: 'SPY', rows: [row('SPY', 2), row('QQQ', 0), row('TLT', 0)] }),
    'watchlist.save'({ watchlists }) {
      saved.push(watchlists);
      return {};
    },
  };
  const rig = await renderInWindow(<Heads />, handlers);
  // The window forgets what it sent once the core had time to push it back.
  onTestFinished(() => rig.advance(2_000));
  const choose = async (menu: string, item: string | RegExp): Promise<void> => {
    await rig.user.click(screen.getByRole('button', { name: menu }));
    await rig.user.click(await screen.findByRole('menuitem', { name: item }));
  };
  const namesOf = (): (string[] | undefined)[] | undefined =>
    saved.at(-1)?.map(({ name, sections }) => [name, ...sections.map((section) => section.name)]);
  return { ...rig, saved, choose, namesOf };
}
const LIST_MENU = 'Watchlist: Desk list';
const SECTION_MENU = 'Section Core';

beforeEach(() => preferences.showList('sandbox', 'desk'));

test('a new list is named, saved and shown', async () => {
  const { user, choose, namesOf } = await open();
  await choose(LIST_MENU, 'New list');
  await user.type(await screen.findByRole('textbox', { name: 'Name of the new list' }), 'Crypto{Enter}');
  await waitFor(() =>
    expect(namesOf()).toEqual([
      ['Desk list', 'Core', 'Rates'],
      ['World', 'Asia'],
      ['Crypto', 'Symbols'],
    ]),
  );
  expect(preferences.read().lists.sandbox).toBe('crypto');
});

test('a list is renamed; its menu shows the others, and deletes all but the last', async () => {
  const { user, choose, namesOf } = await open();
  await choose(LIST_MENU, 'Rename list');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name of the list' });
  await user.clear(field);
  await user.type(field, 'Mine{Enter}');
  await waitFor(() => expect(namesOf()?.[0]?.[0]).toBe('Mine'));
  await user.click(screen.getByRole('button', { name: /^Watchlist: / }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'World' }));
  expect(preferences.read().lists.sandbox).toBe('world');
  document.body.replaceChildren();
  const alone = await open([DESK]);
  await alone.user.click(screen.getByRole('button', { name: LIST_MENU }));
  expect((await screen.findByRole('menuitem', { name: 'Delete Desk list' })).getAttribute('aria-disabled')).toBe(
    'true',
  );
});

test('the chosen symbol moves without a pointer or a shortcut', async () => {
  const { choose, saved } = await open();
  await choose(LIST_MENU, /^Move SPY down/);
  await waitFor(() => expect(saved.at(-1)?.[0]?.sections[0]?.symbols).toEqual(['QQQ', 'SPY']));
});

test('a view is a segment or an item of the last one, and is kept for the profile', async () => {
  const { user } = await open();
  expect(screen.getByRole('button', { name: 'All 3' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'High Risk 1' }));
  expect(preferences.read().listViews).toEqual({ sandbox: 'state 2' });
  expect(screen.getByRole('button', { name: 'High Risk 1' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'All 3' }));
  expect(preferences.read().listViews).toEqual({ sandbox: 'all' });
});

test('a section: symbols by state, renamed, moved; the first one cannot move up', async () => {
  const { user, choose, namesOf } = await open();
  const head = screen.getByRole('rowheader', { name: /^Core/ });
  expect(within(head).getByText('High Risk')).toBeDefined();
  await choose(SECTION_MENU, 'Move down');
  await waitFor(() => expect(namesOf()?.[0]).toEqual(['Desk list', 'Rates', 'Core']));
  await user.click(screen.getByRole('button', { name: SECTION_MENU }));
  expect((await screen.findByRole('menuitem', { name: 'Move up' })).getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Escape}');
  await choose(SECTION_MENU, 'Rename');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name of the section' });
  await user.clear(field);
  await user.type(field, 'Stocks{Enter}');
  await waitFor(() => expect(namesOf()?.[0]).toContain('Stocks'));
});

test('removing a heading keeps its symbols', async () => {
  const { choose, saved } = await open();
  await choose(SECTION_MENU, 'Remove heading');
  await waitFor(() => expect(saved.at(-1)?.[0]?.sections).toHaveLength(1));
  expect(saved.at(-1)?.[0]?.sections[0]?.symbols.toSorted()).toEqual(['QQQ', 'SPY', 'TLT']);
});
