// Renderer: a word that is explained where it stands, on hover, on focus and by its key; Escape hides that.
import { useId, useState } from 'react';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import './term.css';

/** Distance of the explanation from the edge of its panel, px. */
const MARGIN = 12;

/** Moves the explanation to the left as far as its panel needs. */
function keepInside(said: HTMLElement | null): void {
  const edge = said?.closest('.panel')?.getBoundingClientRect().right ?? window.innerWidth;
  if (said !== null) said.style.left = `${Math.min(0, edge - MARGIN - said.getBoundingClientRect().right)}px`;
}

export function Term({ says, children }: { says: string; children: string }) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const show = (): void => setShown(true);
  const hide = (): void => setShown(false);
  useShortcuts('everywhere', { close: () => (isShown ? hide() : false) });
  return (
    <span className="term" onPointerEnter={show} onPointerLeave={hide}>
      <button type="button" aria-describedby={isShown ? id : undefined} onFocus={show} onBlur={hide} onClick={show}>
        {children}
      </button>
      {isShown && (
        <span role="tooltip" id={id} ref={keepInside}>
          {says}
        </span>
      )}
    </span>
  );
}
