// Renderer, profiles: the intro of the first run: which market this is, and how to add a real one.
import { useRef } from 'react';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { profileText as messages } from '../../text/profiles.ts';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from './dialog-request.ts';
import { useProfiles } from './open-profile.ts';

export function SandboxIntro({ onKeySheet }: { onKeySheet: () => void }) {
  const hidden = usePreference((preference) => preference.introRead);
  const isSandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const isAlone = useProfiles()?.profiles.length === 1;
  const button = useRef<HTMLButtonElement>(null);
  if (hidden || !isSandbox || !isAlone) return null;
  return (
    <section className="banner intro" aria-label={messages.intro}>
      <p className="grow ell">
        <b className="md">{messages.intro}</b> <span className="t2">{messages.introWhy}</span>
      </p>
      <button type="button" className="btn line" onClick={onKeySheet}>
        {messages.legend} <kbd>?</kbd>
      </button>
      <button
        type="button"
        className="btn"
        ref={button}
        onClick={() => openDialog({ kind: 'key', environment: 'production' }, button.current)}
      >
        {messages.addKey}
      </button>
      <button
        type="button"
        className="btn quiet square"
        aria-label={messages.hideIntro}
        title={messages.hideIntro}
        onClick={preferences.readIntro}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
