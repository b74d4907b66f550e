// Renderer, settings: after how long without sight the desktop is told.
import { type FormEvent, useState } from 'react';
import type { Blindness } from '../../../shared/domain/alert-rules.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { settingsWords } from '../../text/settings.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Section, WholeNumber, wholeOf } from './parts.tsx';

const words = settingsWords.blind;
const MOST: Readonly<Record<keyof Blindness, number>> = { market_minutes: 240, other_minutes: 1440 };

export function BlindSection() {
  const blind = useApp((state) => state.wholes.alerting?.blind ?? null);
  return (
    <Section heading={settingsWords.section.blind} sub={words.sub}>
      <p className="t2">{words.why}</p>
      {blind === null ? <Awaited what={words.awaiting} progress={null} /> : <Minutes blind={blind} />}
    </Section>
  );
}

function Minutes({ blind }: { blind: Blindness }) {
  const { intents } = useServices();
  // Only what was typed and is not saved: what is stored may change meanwhile, by this form or in another window.
  const [typed, setTyped] = useState<Partial<Record<keyof Blindness, string>>>({});
  const [said, setSaid] = useState<string | null>(null);
  const textOf = (kind: keyof Blindness): string => typed[kind] ?? String(blind[kind]);
  const minutes = (kind: keyof Blindness): number | null => wholeOf(textOf(kind), 1, MOST[kind]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [market_minutes, other_minutes] = [minutes('market_minutes'), minutes('other_minutes')];
    if (market_minutes === null || other_minutes === null) return;
    const answer = await intents.ask('blind.save', { blind: { market_minutes, other_minutes } });
    if (answer.ok) setTyped({});
    setSaid(answer.ok ? words.saved : answer.error);
  };
  const field = (kind: keyof Blindness, name: string, wrong: string) => (
    <WholeNumber
      name={name}
      unit={words.minutes}
      value={textOf(kind)}
      problem={minutes(kind) === null ? wrong : null}
      onChange={(text) => {
        setTyped({ ...typed, [kind]: text });
        setSaid(null);
      }}
    />
  );
  return (
    <form className="settings-form" onSubmit={submit}>
      {field('market_minutes', words.market, words.marketWrong)}
      {field('other_minutes', words.other, words.otherWrong)}
      <div className="form-row">
        <button type="submit" className="btn primary">
          {words.save}
        </button>
        <span role="status" className="t2">
          {said}
        </span>
      </div>
    </form>
  );
}
