// Renderer, profiles: the last buttons of a dialog that adds a profile, before and after it did.

import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { Icon } from '../../ui/icon.tsx';
import { useOpenProfile } from './open-profile.ts';
import { takeFocus } from './step.tsx';

interface AddedFootProps {
  readonly name: string;
  readonly environment: Environment;
  readonly onClose: () => void;
}

export function AddedFoot({ name, environment, onClose }: AddedFootProps) {
  const open = useOpenProfile();
  const messages = texts.profiles.key;
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
      {texts.profiles.key.notNow}
    </button>
    <button type="submit" className="btn primary" aria-disabled={!isReady}>
      {submit}
    </button>
  </footer>
);
