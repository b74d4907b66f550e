// Test: the dialog with a text to copy or save.
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { TextDialog } from './text-dialog.tsx';

const TEXT = 'Stream: open\nGaps: none';

function open() {
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  const closed: string[] = [];
  const view = render(
    <TextDialog
      heading="Report"
      note="Read it before you send it."
      text={TEXT}
      file="report.txt"
      onClose={() => closed.push('closed')}
    />,
  );
  return { opener, closed, view };
}
const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Report' });

test('shows the whole text, which cannot be edited', async () => {
  open();
  expect(screen.getByRole('dialog', { name: 'Report' }).textContent).toContain('Read it before you send it.');
  await userEvent.type(text(), 'more');
  expect(text().value).toBe(TEXT);
});

test('Copy puts the text on the clipboard and says so', async () => {
  const user = userEvent.setup();
  open();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect((await screen.findByText('Copied.')).tagName).toBe('OUTPUT');
  expect(await navigator.clipboard.readText()).toBe(TEXT);
});

test('without access to the clipboard the text is selected, to be copied by key', async () => {
  const user = userEvent.setup();
  open();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await screen.findByText(/^Clipboard access is blocked/);
  expect([text().selectionStart, text().selectionEnd]).toEqual([0, TEXT.length]);
});

test('Save writes a file of that name', async () => {
  const saved: string[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:report', revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual(['report.txt']);
});

test('Close closes, and the focus returns to what opened the dialog', async () => {
  const { opener, closed, view } = open();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toEqual(['closed']);
  view.unmount();
  expect(document.activeElement).toBe(opener);
});
