// Renderer, profiles: a step of a dialog: its number, then a tick when done.
import type { ReactNode } from 'react';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { Icon } from '../../ui/icon.tsx';
import { useOpenProfile, useProfiles } from './open-profile.ts';

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

/** Whether the profile that a dialog added is active; `detail`: how far its service is, or why it failed. */
export function useAdded(name: string): { readonly heading: string; readonly detail: string } {
  const { saved, savedStarting, savedFailed } = texts.addKey;
  const added = useProfiles()?.profiles.find((profile) => profile.name === name);
  const status = added?.status ?? 'opening';
  if (status !== 'opening' && status !== 'failed') return { heading: saved(name), detail: '' };
  const heading = status === 'opening' ? savedStarting(name) : savedFailed(name);
  return { heading, detail: optionalText(added?.message ?? null) };
}

interface AddedStepProps {
  readonly number: number;
  readonly name: string;
  readonly children?: ReactNode;
}

/** The last step of a dialog, after it added a profile. */
export function AddedStep({ number, name, children }: AddedStepProps) {
  const { heading, detail } = useAdded(name);
  return (
    <Step number={number} heading={heading} why={detail} state="done">
      <p role="status" className="spoken">
        {heading}
      </p>
      {children}
    </Step>
  );
}

interface AddedFootProps {
  readonly name: string;
  readonly environment: Environment;
  readonly onClose: () => void;
}

/** The last buttons of a dialog that adds a profile, before and after it did. */
export function AddedFoot({ name, environment, onClose }: AddedFootProps) {
  const open = useOpenProfile();
  const messages = texts.addKey;
  return (
    <footer className="steps-foot">
      <span className="grow" />
      <button type="button" className="btn" onClick={onClose}>
        {messages.done}
      </button>
      <button
        ref={takeFocus}
        type="button"
        className="btn primary"
        onClick={() => {
          open(name);
          onClose();
        }}
      >
        <Icon name="outside" />
        {messages.open[environment]}
      </button>
    </footer>
  );
}

interface StepsFootProps {
  readonly note?: string;
  readonly isReady: boolean;
  readonly submit: string;
  readonly onClose: () => void;
}

export const StepsFoot = ({ note, isReady, submit, onClose }: StepsFootProps) => (
  <footer className="steps-foot">
    <span className="t3 cond grow">{note}</span>
    <button type="button" className="btn" onClick={onClose}>
      {texts.addKey.notNow}
    </button>
    <button type="submit" className="btn primary" aria-disabled={!isReady}>
      {submit}
    </button>
  </footer>
);
