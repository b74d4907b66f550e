// Renderer: the quiet hours, by a market's calendar or by times of day.
import { type FormEvent, useState } from 'react';
import { type QuietHours, QuietHoursSchema } from '../../../shared/settings/alert-rules.ts';
import { useServices } from '../../services.ts';
import { ruleText } from '../../text/rules.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import {
  HOURS_AT_FIRST,
  type HoursDraft,
  HoursFields,
  hoursDraft,
  hoursOf,
  type Problems,
} from '../alert-rules/index.ts';

const { mutes: messages, editor } = ruleText;

interface Draft {
  readonly when: 'none' | QuietHours['when'];
  readonly hours: HoursDraft;
}

const draftOf = (quiet: QuietHours | null): Draft =>
  quiet === null
    ? { when: 'none', hours: { ...HOURS_AT_FIRST, kind: 'session' } }
    : { when: quiet.when, hours: hoursDraft(quiet.hours) };

export function QuietHoursForm({ quiet, isQuiet }: { quiet: QuietHours | null; isQuiet: boolean }) {
  const { intents } = useServices();
  // Null where nothing is typed that is not saved: what is stored may change meanwhile, by this form or in another window.
  const [typed, setTyped] = useState<Draft | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [said, setSaid] = useState('');
  const { when, hours } = typed ?? draftOf(quiet);
  const edit = (more: Partial<Draft>): void => {
    setTyped({ when, hours, ...more });
    setSaid('');
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = hoursOf(hours);
    setProblems(when === 'none' || made.ok ? {} : made.error);
    if (when !== 'none' && !made.ok) return;
    const read = QuietHoursSchema.nullable().safeParse(
      when === 'none' || !made.ok ? null : { when, hours: made.value },
    );
    if (!read.success) return setSaid(read.error.issues[0]?.message ?? '');
    const saved = await intents.ask('quiet.save', { quiet: read.data });
    if (saved.ok) setTyped(null);
    setSaid(saved.ok ? messages.quietSaved : saved.error);
  };
  return (
    <form className="al-form" noValidate onSubmit={(event) => void submit(event)} aria-label={messages.quiet}>
      <h2>{messages.quiet}</h2>
      <p className="t2">{messages.quietIntro}</p>
      {quiet !== null && <p className={isQuiet ? 'md' : 't2'}>{isQuiet ? messages.quietOn : messages.quietOff}.</p>}
      <SegmentedControl
        label={messages.quiet}
        value={when}
        options={(['none', 'inside', 'outside'] as const).map((value) => ({
          value,
          label: messages.quietKinds[value],
        }))}
        onChange={(chosen) => edit({ when: chosen })}
      />
      {when !== 'none' && (
        <>
          <SegmentedControl
            label={editor.hours}
            value={hours.kind}
            options={(['session', 'daily'] as const).map((value) => ({ value, label: editor.hourKinds[value] }))}
            onChange={(kind) => edit({ hours: { ...hours, kind } })}
          />
          <HoursFields hours={hours} problems={problems} onChange={(changed) => edit({ hours: changed })} />
        </>
      )}
      <div className="row">
        <button type="submit" className="btn">
          {messages.quietSave}
        </button>
        <span className="grow cond al-said" role="status">
          {said}
        </span>
      </div>
    </form>
  );
}
