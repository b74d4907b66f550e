// Renderer, profiles: the first line of the first run: what this market is, and the way to the real one. It goes when it is put away.
import { useRef } from 'react';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useBoard } from '../../store/store.ts';
import { profileWords as words } from '../../text/profiles.ts';
import { Icon } from '../../ui/icon.tsx';
import { sendFor } from './errand.ts';
import { useProfiles } from './open-profile.ts';

export function SandboxIntro({ onMarks }: { onMarks: () => void }) {
  const hidden = usePreference((preference) => preference.introRead);
  const isSandbox = useBoard((board) => board.profile.environment === 'sandbox');
  const isAlone = useProfiles()?.profiles.length === 1;
  const button = useRef<HTMLButtonElement>(null);
  if (hidden || !isSandbox || !isAlone) return null;
  return (
    <section className="banner intro" aria-label={words.intro}>
      <p className="grow ell">
        <b className="md">{words.intro}</b> <span className="t2">{words.introWhy}</span>
      </p>
      <button type="button" className="btn line" onClick={onMarks}>
        {words.marks} <kbd>?</kbd>
      </button>
      <button
        type="button"
        className="btn"
        ref={button}
        onClick={() => sendFor({ kind: 'key', environment: 'production' }, button.current)}
      >
        {words.addKey}
      </button>
      <button
        type="button"
        className="btn quiet square"
        aria-label={words.hideIntro}
        title={words.hideIntro}
        onClick={preferences.readIntro}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
