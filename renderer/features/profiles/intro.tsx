// Renderer, profiles: the intro of the first run: which market this is, and how to add a real one.
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { IconButton } from '../../ui/icon.tsx';
import { openDialog } from './dialog-request.ts';
import { useProfiles } from './open-profile.ts';

export function SandboxIntro({ onKeySheet }: { onKeySheet: () => void }) {
  const hidden = usePreference((preference) => preference.introRead);
  const isSandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const isAlone = useProfiles()?.profiles.length === 1;
  if (hidden || !isSandbox || !isAlone) return null;
  return (
    <section className="banner intro" aria-label={texts.profiles.intro}>
      <p className="grow ell">
        <b className="md">{texts.profiles.intro}</b> <span className="t2">{texts.profiles.introWhy}</span>
      </p>
      <button type="button" className="btn line" onClick={onKeySheet}>
        {texts.profiles.legend} <kbd>?</kbd>
      </button>
      <button type="button" className="btn line" onClick={() => openDialog({ kind: 'crashMarket' })}>
        {texts.profiles.crashMarket.act}
      </button>
      <button type="button" className="btn" onClick={() => openDialog({ kind: 'key', environment: 'production' })}>
        {texts.profiles.addKey}
      </button>
      <IconButton icon="close" label={texts.profiles.hideIntro} hasTitle onClick={preferences.readIntro} />
    </section>
  );
}
