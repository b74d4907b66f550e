// Renderer, profiles: a step of a dialog: its number, then a tick when done.
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';

interface StepProps {
  readonly number: number;
  readonly heading: string;
  readonly why: string;
  readonly state: 'off' | 'on' | 'done';
  readonly children?: ReactNode;
}

export function Step({ number, heading, why, state, children }: StepProps) {
  return (
    <section className={`step ${state}`} aria-label={heading}>
      <span className="step-number" aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <div className="grow">
        <h3>{heading}</h3>
        {why !== '' && <p className="step-why">{why}</p>}
        {children}
      </div>
    </section>
  );
}

/** Keeps the focus in the dialog after the focused control was removed with its step. */
export function takeFocus(button: HTMLButtonElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) button?.focus();
}
