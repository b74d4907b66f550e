// Renderer: marks a value once, in place, when it becomes another. The first value is not a change.
import { type ReactNode, useState } from 'react';

interface ChangedProps {
  /** What is compared. */
  readonly value: string | number | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/** With reduced motion the mark is an edge, which stays until the pointer has been there. */
export function Changed({ value, className = '', children }: ChangedProps) {
  const [seen, setSeen] = useState({ value, turns: 0, marked: false });
  if (seen.value !== value) setSeen({ value, turns: seen.turns + 1, marked: true });
  const clear = (): void => setSeen((now) => ({ ...now, marked: false }));
  return (
    // A new key starts the wash again when one change follows another.
    <span key={seen.turns} className={seen.marked ? `${className} changed` : className} onAnimationEnd={clear} onPointerEnter={clear}>
      {children}
    </span>
  );
}
