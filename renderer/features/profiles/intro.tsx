// Renderer, profiles: the first steps in a sandbox: what a state is, make one happen, follow a real market.
import { useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { IconButton } from '../../ui/icon.tsx';
import { openDialog } from './dialog-request.ts';
import { useProfiles } from './open-profile.ts';

const { intro: words } = texts.profiles;
const LAST = words.steps.length - 1;

export function SandboxIntro({ onKeySheet }: { onKeySheet: () => void }) {
  const hidden = usePreference((preference) => preference.introRead);
  const index = usePreference((preference) => preference.introStep);
  const profiles = useProfiles()?.profiles ?? [];
  const step = words.steps[index];
  // Whoever has added a profile knows the way.
  if (hidden || profiles.length !== 1 || profiles[0]?.source.kind !== 'simulated' || step === undefined) return null;
  const onward = (): void => (index === LAST ? preferences.readIntro() : preferences.showIntroStep(index + 1));
  return (
    <section className="banner intro" aria-label={words.label}>
      <p className="grow">
        <span className="t2">{words.of(index + 1, LAST + 1)}</span> <b className="strong">{step.heading}.</b>{' '}
        {step.text}
      </p>
      {index === 0 && (
        <button type="button" className="btn line" onClick={onKeySheet}>
          {words.legend} <kbd>?</kbd>
        </button>
      )}
      {index === 1 && <Raise />}
      {index === LAST && <Markets />}
      {index > 0 && (
        <button type="button" className="btn quiet" onClick={() => preferences.showIntroStep(index - 1)}>
          {words.back}
        </button>
      )}
      <button type="button" className="btn" onClick={onward}>
        {index === LAST ? words.done : words.next}
      </button>
      <IconButton icon="close" label={words.hide} hasTitle onClick={preferences.readIntro} />
    </section>
  );
}

function Raise() {
  const { intents } = useServices();
  const symbol = useSnapshot((snapshot) => snapshot.selected);
  const [said, setSaid] = useState('');
  if (symbol === null) return null;
  const raise = async (): Promise<void> => {
    const answer = await intents.ask('sandbox.raise', { symbol });
    setSaid(answer.ok ? words.raised(symbol) : answer.error);
  };
  return (
    <>
      <output className="intro-said">{said}</output>
      <button type="button" className="btn primary" onClick={() => void raise()}>
        {words.raise(symbol)}
      </button>
      <button type="button" className="btn line" onClick={() => openDialog({ kind: 'crashMarket' })}>
        {texts.profiles.crashMarket.act}
      </button>
    </>
  );
}

const Markets = () => (
  <>
    <button type="button" className="btn primary" onClick={() => openDialog({ kind: 'coins' })}>
      {texts.profiles.coins.begin}
    </button>
    <button type="button" className="btn line" onClick={() => openDialog({ kind: 'prices' })}>
      {texts.profiles.addPrices}
    </button>
    <button type="button" className="btn line" onClick={() => openDialog({ kind: 'key', environment: 'production' })}>
      {texts.profiles.addKey}
    </button>
  </>
);
