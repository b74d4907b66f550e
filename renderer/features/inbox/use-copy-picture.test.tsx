// Test: the key C copies the picture of the chosen alert, and the status bar says what happened.
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { alert, row, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { ActNote } from './act-note.tsx';
import { Inbox } from './inbox.tsx';

/** What the page wrote to the clipboard. */
const written: Blob[] = [];
class FakeItem {
  readonly parts: Record<string, Promise<Blob>>;
  constructor(parts: Record<string, Promise<Blob>>) {
    this.parts = parts;
  }
}
const write = vi.fn(async ([item]: FakeItem[]): Promise<void> => {
  const png = await item?.parts['image/png'];
  if (png !== undefined) written.push(png);
});
afterEach(() => {
  written.splice(0);
  vi.unstubAllGlobals();
});

async function open(make: (input: unknown) => { png: string }) {
  const user = userEvent.setup();
  vi.stubGlobal('ClipboardItem', FakeItem);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { write } });
  const rig = await createWindowRig({
    snapshot: snapshot({
      selected: 'QQQ',
      rows: [row('SPY', 2), row('QQQ', 0)],
      alerts: [alert(transition('SPY', 1, 2, T0), 3, { notification_status: 'notified' })],
    }),
    handlers: { 'picture.make': make as never, 'watchlist.select': () => ({}) },
  });
  rig.render(
    <>
      <Inbox onClose={() => undefined} onOpen={() => undefined} />
      <ActNote />
    </>,
  );
  await rig.idle();
  return { user, rig };
}

test('C copies the picture of the chosen symbol, and that of an alert that has the focus', async () => {
  const asked: unknown[] = [];
  const { user } = await open((input) => {
    asked.push(input);
    return { png: btoa('picture') };
  });
  await user.keyboard('c');
  expect(await screen.findByText('Copied a picture of QQQ.')).not.toBeNull();
  document.querySelector<HTMLElement>('[data-row="3"] button')?.focus();
  await user.keyboard('c');
  expect(await screen.findByText('Copied a picture of SPY.')).not.toBeNull();
  expect(asked).toEqual([{ symbol: 'QQQ' }, { symbol: 'SPY' }]);
  expect([written.length, written[0]?.type, written[0]?.size]).toEqual([2, 'image/png', 'picture'.length]);
});

test('a picture that cannot be made, and a clipboard that refuses it, are said', async () => {
  const { user } = await open(() => {
    throw new Error('The service has no history of QQQ.');
  });
  await user.keyboard('c');
  expect(await screen.findByText(/^No picture was copied\. .*QQQ/)).not.toBeNull();
  write.mockRejectedValueOnce(new Error('NotAllowedError'));
  const other = await open(() => ({ png: btoa('picture') }));
  await other.user.keyboard('c');
  expect(await screen.findAllByText('No picture was copied. Clipboard access is blocked.')).not.toHaveLength(0);
});
