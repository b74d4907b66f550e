// Renderer, webhooks: sends everything of a stretch once more to a subscription.
import { type FormEvent, useState } from 'react';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { count, zoneName } from '../../text/format.ts';
import { fieldOf, MOMENT_FORM, momentFrom } from '../../text/moment-field.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from './filter-fields.tsx';

const HOUR = 3_600_000;

interface RecoverDialogProps {
  readonly subscription: string;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RecoverDialog({ subscription, returnTo, onDone, onClose }: RecoverDialogProps) {
  const { intents } = useServices();
  const worldNow = useWorldNow();
  // As it is now: what is typed below keeps its meaning while the dialog is open.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const [from, setFrom] = useState(() => fieldOf(worldNow - HOUR, zone).replace('T', ' '));
  const [to, setTo] = useState('');
  const [problem, setProblem] = useState<{ readonly at: 'from' | 'to'; readonly words: string } | null>(null);
  const [said, setSaid] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSaid('');
    const begin = momentFrom(from, zone);
    const end = to.trim() === '' ? null : momentFrom(to, zone);
    if (begin === null) return setProblem({ at: 'from', words: words.recover.noMoment });
    if (to.trim() !== '' && end === null) return setProblem({ at: 'to', words: words.recover.noMoment });
    if (end !== null && end < begin) return setProblem({ at: 'to', words: words.recover.order });
    const answer = await intents.ask('deliveries.recover', {
      subscription,
      from: timestamp(begin),
      to: end === null ? null : timestamp(end),
    });
    setProblem(answer.ok ? null : { at: 'to', words: answer.error });
    if (!answer.ok) return;
    setSaid(words.recover.done(count(answer.value.queued), answer.value.more));
    onDone();
  };
  return (
    <Dialog heading={words.recover.heading} className="hook-dialog" returnTo={returnTo} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p className="t2 hook-note">{words.recover.words}</p>
        <TextField
          label={words.recover.from(zoneName(zone))}
          placeholder={MOMENT_FORM}
          value={from}
          problem={problem?.at === 'from' ? problem.words : null}
          onChange={setFrom}
        />
        <TextField
          label={words.recover.to(zoneName(zone))}
          placeholder={MOMENT_FORM}
          value={to}
          problem={problem?.at === 'to' ? problem.words : null}
          onChange={setTo}
        />
        <div className="dialog-actions">
          <output className="grow t2">{said}</output>
          <button type="button" className="btn line" onClick={onClose}>
            {said === '' ? words.cancel : words.close}
          </button>
          <button type="submit" className="btn primary">
            {words.recover.go}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
