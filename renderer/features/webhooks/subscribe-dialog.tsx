// Renderer, webhooks: subscribes an address at the service. The signing secret is shown in the same dialog's place, once.
import { type FormEvent, useState } from 'react';
import { EVENT_NAMES, type EventName } from '../../../shared/wire/events.ts';
import { useServices } from '../../services.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { addressProblem, atAddress } from './address.ts';
import { EventChecks, readSymbols, TextField } from './filter-fields.tsx';
import { SecretOnce } from './secret-once.tsx';

interface SubscribeDialogProps {
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

export function SubscribeDialog({ returnTo, onMade, onClose }: SubscribeDialogProps) {
  const { intents } = useServices();
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly EventName[]>(EVENT_NAMES);
  const [symbols, setSymbols] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string | null } | null>(null);
  const read = readSymbols(symbols);
  const wrong = {
    url: addressProblem(url, 'https://hooks.example.com/risk'),
    events: events.length === 0 ? messages.targets.chooseEvents : null,
    symbols: read.bad.length === 0 ? null : messages.targets.badSymbols(read.bad.join(', ')),
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (Object.values(wrong).some((message) => message !== null)) return;
    setBusy(true);
    const answer = await intents.ask('subscriptions.add', {
      url: url.trim(),
      events: events.length === EVENT_NAMES.length ? null : [...events],
      symbols: read.symbols === null ? null : [...read.symbols],
    });
    setBusy(false);
    if (!answer.ok) return setProblem(atAddress(answer.error));
    onMade(answer.value.id);
    setMade(answer.value);
  };
  if (made?.secret != null)
    return (
      <SecretOnce
        heading={messages.subscription.secretHeading}
        secret={made.secret}
        returnTo={returnTo}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      heading={messages.subscription.subscribeHeading}
      className="hook-dialog"
      returnTo={returnTo}
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={messages.subscription.addressLabel}
          value={url}
          problem={made === null ? ((tried ? wrong.url : null) ?? problem) : messages.subscription.known}
          onChange={(typed) => {
            setUrl(typed);
            setProblem(null);
          }}
        />
        <EventChecks chosen={events} problem={tried ? wrong.events : null} onChange={setEvents} />
        <TextField
          label={messages.targets.symbolsLabel}
          value={symbols}
          problem={tried ? wrong.symbols : null}
          onChange={setSymbols}
          placeholder="SPY, QQQ"
        />
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {made === null ? messages.cancel : messages.close}
          </button>
          <button type="submit" className="btn primary" disabled={busy || made !== null}>
            {messages.subscribe}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
