// Renderer: the dialog of the search. Its field takes keys at once: before that they would be commands of the page.
import { useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazyPanel } from '../../ui/lazy.tsx';
import './palette.css';
import type { SearchProps } from './palette.tsx';

export function Palette(props: Omit<SearchProps, 'typed' | 'onTyped'>) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog heading={texts.palette.label} className="palette" onClose={props.onClose}>
      <Search {...props} typed={typed} onTyped={setTyped} />
    </Dialog>
  );
}

const Search = lazyPanel(texts.palette.label, async () => (await import('./palette.tsx')).Search, EarlyField);

function EarlyField({ typed, onTyped }: SearchProps) {
  return (
    <div className="palette-head">
      <Icon name="search" size={15} />
      <input
        data-focus-first
        aria-label={texts.palette.label}
        placeholder={texts.palette.placeholder}
        maxLength={200}
        value={typed}
        onChange={({ target }) => onTyped(target.value)}
      />
      <kbd>Esc</kbd>
    </div>
  );
}
