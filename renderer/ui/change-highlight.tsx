// Renderer: highlights a value once, in place, when it changes; the first value is not a change.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Clock } from '../../shared/lib/clock.ts';
import { useServices } from '../services.ts';
import { readShownMoment } from '../store/shown-moment.ts';

interface ChangeHighlightProps {
  /** The value to compare. */
  readonly value: string | number | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * More changes of the window within this time, ms, are a flood: highlights would point at nothing, and delay
 * the values.
 */
const FLOOD = { changes: 16, within: 1_000 };
let recent = 0;

function isFlood(clock: Clock): boolean {
  recent += 1;
  clock.after(FLOOD.within, () => {
    recent -= 1;
  });
  return recent > FLOOD.changes;
}

/** With reduced motion the highlight is an edge, which remains until the pointer visits it. */
export function ChangeHighlight({ value, className = '', children }: ChangeHighlightProps) {
  const { clock } = useServices();
  const [highlight, setHighlight] = useState({ turn: 0, on: false });
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    // Another moment is no change.
    if (readShownMoment() === null && !isFlood(clock)) setHighlight(({ turn }) => ({ turn: turn + 1, on: true }));
  }, [value, clock]);
  const clear = (): void => setHighlight(({ turn }) => ({ turn, on: false }));
  return (
    // A new key restarts the animation when one change follows another.
    <span
      key={highlight.turn}
      className={highlight.on ? `${className} changed` : className}
      onAnimationEnd={clear}
      onPointerEnter={clear}
    >
      {children}
    </span>
  );
}
