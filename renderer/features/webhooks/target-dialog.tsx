// Renderer, webhooks: adds a target. Its secret is shown in the same dialog's place, once.
import { type FormEvent, useState } from 'react';
import type { State } from '../../../shared/domain/states.ts';
import { EVENT_NAMES, type EventName } from '../../../shared/wire/events.ts';
import { useServices } from '../../services.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { addressProblem, atAddress } from './address.ts';
import { EventChecks, readSymbols, StateChecks, TextField } from './filter-fields.tsx';
import { SecretOnce } from './secret-once.tsx';

interface TargetDialogProps {
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

const ALL_STATES: readonly State[] = [0, 1, 2];

export function TargetDialog({ returnTo, onAdded, onClose }: TargetDialogProps) {
  const { intents } = useServices();
  const [url, setUrl] = useState('http://127.0.0.1:');
  const [events, setEvents] = useState<readonly EventName[]>(EVENT_NAMES);
  const [states, setStates] = useState(ALL_STATES);
  const [symbols, setSymbols] = useState('');
  const [secret, setSecret] = useState('');
  const [far, setFar] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const read = readSymbols(symbols);
  const wrong = {
    url: addressProblem(url, 'http://127.0.0.1:8099/hook'),
    events: events.length === 0 ? messages.targets.chooseEvents : null,
    states: states.length === 0 ? messages.targets.chooseStates : null,
    symbols: read.bad.length === 0 ? null : messages.targets.badSymbols(read.bad.join(', ')),
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (Object.values(wrong).some((message) => message !== null)) return;
    const answer = await intents.ask('relay.target.add', {
      url: url.trim(),
      secret: secret === '' ? null : secret,
      allow_public: far,
      filter: {
        events: events.length === EVENT_NAMES.length ? null : [...events],
        states: states.length === ALL_STATES.length ? null : [...states],
        symbols: read.symbols === null ? null : [...read.symbols],
      },
    });
    if (answer.ok) setMade(answer.value);
    else setProblem(atAddress(answer.error));
  };
  const close = (): void => {
    if (made !== null) onAdded(made.id);
    onClose();
  };
  if (made !== null)
    return (
      <SecretOnce heading={messages.targets.secretHeading} secret={made.secret} returnTo={returnTo} onClose={close} />
    );
  return (
    <Dialog heading={messages.targets.addHeading} className="hook-dialog" returnTo={returnTo} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={messages.targets.addressLabel}
          value={url}
          problem={(tried ? wrong.url : null) ?? problem}
          onChange={(typed) => {
            setUrl(typed);
            setProblem(null);
          }}
        />
        <EventChecks chosen={events} problem={tried ? wrong.events : null} onChange={setEvents} />
        <StateChecks chosen={states} problem={tried ? wrong.states : null} onChange={setStates} />
        <TextField
          label={messages.targets.symbolsLabel}
          value={symbols}
          problem={tried ? wrong.symbols : null}
          onChange={setSymbols}
          placeholder="SPY, QQQ"
        />
        <TextField
          label={messages.targets.secretLabel}
          value={secret}
          problem={null}
          onChange={setSecret}
          type="password"
        />
        <label className="check-line">
          <input type="checkbox" checked={far} onChange={(event) => setFar(event.target.checked)} />
          {messages.targets.publicLabel}
        </label>
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {messages.cancel}
          </button>
          <button type="submit" className="btn primary">
            {messages.targets.add}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
