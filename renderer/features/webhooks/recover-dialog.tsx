// Renderer, webhooks: sends everything of a range once more to a subscription.
import { type FormEvent, useState } from 'react';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { count, zoneName } from '../../text/format.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../text/timestamp-field.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
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
  const [from, setFrom] = useState(() => formatField(worldNow - HOUR, zone).replace('T', ' '));
  const [to, setTo] = useState('');
  const [problem, setProblem] = useState<{ readonly at: 'from' | 'to'; readonly message: string } | null>(null);
  const [said, setSaid] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSaid('');
    const begin = parseTimestamp(from, zone);
    const end = to.trim() === '' ? null : parseTimestamp(to, zone);
    if (begin === null) return setProblem({ at: 'from', message: messages.recover.invalidTimestamp });
    if (to.trim() !== '' && end === null) return setProblem({ at: 'to', message: messages.recover.invalidTimestamp });
    if (end !== null && end < begin) return setProblem({ at: 'to', message: messages.recover.order });
    const answer = await intents.ask('deliveries.recover', {
      subscription,
      from: timestamp(begin),
      to: end === null ? null : timestamp(end),
    });
    setProblem(answer.ok ? null : { at: 'to', message: answer.error });
    if (!answer.ok) return;
    setSaid(messages.recover.done(count(answer.value.queued), answer.value.more));
    onDone();
  };
  return (
    <Dialog heading={messages.recover.heading} className="hook-dialog" returnTo={returnTo} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p className="t2 hook-note">{messages.recover.text}</p>
        <TextField
          label={messages.recover.from(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
          value={from}
          problem={problem?.at === 'from' ? problem.message : null}
          onChange={setFrom}
        />
        <TextField
          label={messages.recover.to(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
          value={to}
          problem={problem?.at === 'to' ? problem.message : null}
          onChange={setTo}
        />
        <div className="dialog-actions">
          <output className="grow t2">{said}</output>
          <button type="button" className="btn line" onClick={onClose}>
            {said === '' ? messages.cancel : messages.close}
          </button>
          <button type="submit" className="btn primary">
            {messages.recover.go}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
