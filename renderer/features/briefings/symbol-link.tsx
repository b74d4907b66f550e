// Renderer: a symbol in a text: leads to it on the Watch page; on hover and focus it shows what it was then and what it is now.
import { type PointerEvent, type ReactNode, useState } from 'react';
import { goTo } from '../../store/place.ts';
import { en } from '../../text/en.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useThenNow } from './then-now.ts';

/** Room that the card needs, px. */
const CARD = { width: 240, height: 40 };

export function SymbolLink({ symbol, children }: { symbol: string; children: ReactNode }) {
  const [place, setPlace] = useState('');
  const look = useThenNow(symbol);
  // Where the card fits: at the left edge of the word and below it, unless the page ends there.
  const settle = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    const word = currentTarget.getBoundingClientRect();
    const paper = currentTarget.closest('.paper')?.getBoundingClientRect();
    const seen = currentTarget.closest('.scroll')?.getBoundingClientRect();
    const atRight = paper !== undefined && word.left + CARD.width > paper.right;
    const above = seen !== undefined && word.bottom + CARD.height > seen.bottom;
    setPlace(` ${atRight ? 'at-right' : 'at-left'}${above ? ' above' : ''}`);
  };
  const leave = ({ currentTarget }: PointerEvent): void => {
    if (!currentTarget.contains(document.activeElement)) setPlace('');
  };
  return (
    <span className="symbol-link" onPointerEnter={settle} onPointerLeave={leave}>
      <button
        type="button"
        aria-label={en.briefings.thenNowName(symbol, look.thenWord, look.nowWord)}
        onFocus={settle}
        onBlur={() => setPlace('')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setPlace('');
        }}
        onClick={() => goTo({ page: 'watch', item: symbol })}
      >
        {children}
      </button>
      {place !== '' && (
        <span className={`then-now-card cond${place}`} aria-hidden="true">
          <Glyph name={look.thenGlyph} size={12} />
          {look.thenWord}
          <Icon name="next" size={11} />
          <Glyph name={look.nowGlyph} size={12} />
          {look.nowWord}
        </span>
      )}
    </span>
  );
}
