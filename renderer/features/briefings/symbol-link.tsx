// Renderer: a symbol in a text: links to the Watch page; a card shows its states then and now.
import { type PointerEvent, type ReactNode, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { goTo } from '../../store/route.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useThenNow } from './then-now.ts';

/** Size of the card, px. */
const CARD = { width: 240, height: 40 };

export function SymbolLink({ symbol, children }: { symbol: string; children: ReactNode }) {
  const [placement, setPlacement] = useState('');
  const thenNow = useThenNow(symbol);
  // Places the card at the left edge of the word and below it, unless the page ends there.
  const settle = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    const word = currentTarget.getBoundingClientRect();
    const page = currentTarget.closest('.document-page')?.getBoundingClientRect();
    const seen = currentTarget.closest('.scroll')?.getBoundingClientRect();
    const atRight = page !== undefined && word.left + CARD.width > page.right;
    const above = seen !== undefined && word.bottom + CARD.height > seen.bottom;
    setPlacement(` ${atRight ? 'at-right' : 'at-left'}${above ? ' above' : ''}`);
  };
  const leave = ({ currentTarget }: PointerEvent): void => {
    if (!currentTarget.contains(document.activeElement)) setPlacement('');
  };
  return (
    <span className="symbol-link" onPointerEnter={settle} onPointerLeave={leave}>
      <button
        type="button"
        aria-label={texts.briefings.thenNowName(symbol, thenNow.thenWord, thenNow.nowWord)}
        onFocus={settle}
        onBlur={() => setPlacement('')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setPlacement('');
        }}
        onClick={() => goTo({ page: 'watch', item: symbol })}
      >
        {children}
      </button>
      {placement !== '' && (
        <span className={`then-now-card cond${placement}`} aria-hidden="true">
          <Glyph name={thenNow.thenGlyph} size={12} />
          {thenNow.thenWord}
          <Icon name="next" size={11} />
          <Glyph name={thenNow.nowGlyph} size={12} />
          {thenNow.nowWord}
        </span>
      )}
    </span>
  );
}
