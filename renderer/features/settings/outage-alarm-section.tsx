// Renderer, settings: after how long an outage the desktop is notified.
import { type FormEvent, useState } from 'react';
import type { OutageAlarm } from '../../../shared/settings/alert-rules.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { settingsText } from '../../text/settings.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section, WholeNumber, wholeOf } from './section.tsx';

const messages = settingsText.outageAlarm;
const MOST: Readonly<Record<keyof OutageAlarm, number>> = { market_minutes: 240, other_minutes: 1440 };

export function OutageAlarmSection() {
  const outageAlarm = useApp((state) => state.features.alerting?.outage_alarm ?? null);
  return (
    <Section heading={settingsText.section.outage} sub={messages.sub}>
      <p className="t2">{messages.why}</p>
      {outageAlarm === null ? (
        <LoadingNotice what={messages.loading} progress={null} />
      ) : (
        <Minutes outageAlarm={outageAlarm} />
      )}
    </Section>
  );
}

function Minutes({ outageAlarm }: { outageAlarm: OutageAlarm }) {
  const { intents } = useServices();
  // Only what was typed and is not saved: what is stored may change meanwhile, by this form or in another window.
  const [typed, setTyped] = useState<Partial<Record<keyof OutageAlarm, string>>>({});
  const [said, setSaid] = useState<string | null>(null);
  const textOf = (kind: keyof OutageAlarm): string => typed[kind] ?? String(outageAlarm[kind]);
  const minutes = (kind: keyof OutageAlarm): number | null => wholeOf(textOf(kind), 1, MOST[kind]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [market_minutes, other_minutes] = [minutes('market_minutes'), minutes('other_minutes')];
    if (market_minutes === null || other_minutes === null) return;
    const answer = await intents.ask('outageAlarm.save', { outage_alarm: { market_minutes, other_minutes } });
    if (answer.ok) setTyped({});
    setSaid(answer.ok ? messages.saved : answer.error);
  };
  const field = (kind: keyof OutageAlarm, name: string, wrong: string) => (
    <WholeNumber
      name={name}
      unit={messages.minutes}
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
      {field('market_minutes', messages.market, messages.marketWrong)}
      {field('other_minutes', messages.other, messages.otherWrong)}
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.save}
        </button>
        <span role="status" className="t2">
          {said}
        </span>
      </div>
    </form>
  );
}
