// Test: the form that adds symbols to a watchlist.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useListNote } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { AddSymbols } from './add-symbols.tsx';

function Head({ onClose }: { onClose: () => void }) {
  const [list] = useSnapshot((snapshot) => snapshot.watchlists);
  const note = useListNote();
  return (
    <>
      {list !== undefined && <AddSymbols list={list} onClose={onClose} />}
      <output>{note?.said.kind === 'done' && note.said.message}</output>
    </>
  );
}

async function open() {
  const closed: string[] = [];
  const rig = await renderInWindow(<Head onClose={() => closed.push('closed')} />, {
    'watchlist.save': () => ({}),
  });
  return { ...rig, closed };
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Add symbols to / });

test('has the focus, adds what is not listed yet, and is empty for the next symbols', async () => {
  const { user, calls } = await open();
  expect(document.activeElement).toBe(field());
  await user.keyboard('aapl, spy brk.b{Enter}');
  await waitFor(() => expect(field().value).toBe(''));
  expect(calls).toMatchObject([
    { input: { watchlists: [{ sections: [{ symbols: ['SPY', 'QQQ', 'AAPL', 'BRK.B'] }] }] } },
  ]);
});

test('says that a symbol is listed already, and sends nothing', async () => {
  const { user, calls } = await open();
  await user.keyboard('qqq{Enter}');
  await screen.findByText('QQQ is in this list already.');
  expect(calls).toEqual([]);
});

test('says what is not a symbol, until it is corrected', async () => {
  const { user, calls } = await open();
  await user.keyboard('AAPL much-too-long-for-one{Enter}');
  await screen.findByText(/^much-too-long-for-one is not a symbol/);
  expect([calls, field().value, field().getAttribute('aria-invalid')]).toEqual([
    [],
    'AAPL much-too-long-for-one',
    'true',
  ]);
  await user.keyboard('{Backspace>19/}');
  await waitFor(() => expect(screen.queryByText(/is not a symbol/)).toBeNull());
});

test('Escape and the button close it', async () => {
  const { user, closed } = await open();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toEqual(['closed', 'closed']);
});
