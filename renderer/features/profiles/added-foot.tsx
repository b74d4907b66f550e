// Renderer, profiles: the last buttons of a dialog that added a profile: close it, open its window.

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
