// Renderer, mutes: the button that silences an alert's symbols, and its dialog, whose code loads when needed.
import { useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazyDialog } from '../../ui/lazy.tsx';

const messages = texts.silences;

export const SilenceDialog = lazyDialog(
  messages.open,
  async () => (await import('./silence-dialog.tsx')).SilenceDialog,
);

/** Draws nothing without a symbol: an unreadable event has none. */
export function SilenceButton({ symbols, tabIndex }: { symbols: readonly string[]; tabIndex?: 0 | -1 }) {
  const [isOpen, setOpen] = useState(false);
  if (symbols.length === 0) return null;
  return (
    <>
      <button type="button" className="btn" tabIndex={tabIndex} onClick={() => setOpen(true)}>
        <Icon name="muted" />
        {messages.open} <span className="spoken">{symbols.join(', ')}</span>
      </button>
      {isOpen && <SilenceDialog symbols={symbols} onClose={() => setOpen(false)} />}
    </>
  );
}
