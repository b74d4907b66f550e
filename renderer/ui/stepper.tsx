// Renderer: keyboard access to a drawing: one tab stop, arrow keys step, each step is announced.
// Pointer events pass through.
import type { KeyboardEvent } from 'react';
import './stepper.css';

interface StepperProps {
  readonly label: string;
  readonly last: number;
  readonly index: number;
  /** Announcement of the step. */
  readonly text: string | undefined;
  /** The index that a key leads to; null if the drawing does not handle the key. */
  readonly step: (key: string, shift: boolean) => number | null;
  readonly onMove: (index: number) => void;
  /** Called on Enter; returns false where there is nothing to open. */
  readonly onOpen?: () => boolean;
  readonly onLeave?: () => void;
}

export function Stepper({ label, last, index, text, step, onMove, onOpen, onLeave }: StepperProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && onOpen?.() === true) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const to = step(event.key, event.shiftKey);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(to);
  };
  return (
    <div
      className="stepper"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onBlur={onLeave}
    />
  );
}

/**
 * Left and right move by one step, Home and End to the ends.
 * @param far size of a step with Shift
 */
export function stepBy(index: number, last: number, key: string, shift: boolean, far = 1): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const direction = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  return direction === 0 ? null : Math.max(0, Math.min(last, index + direction * (shift ? far : 1)));
}
