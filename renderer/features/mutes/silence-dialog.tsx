// Renderer, mutes: the dialog that silences the symbols of an alert, and the button that opens it.
import { useRef, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions, Form, FormProblem } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EMPTY_SILENCE } from './silence-draft.ts';
import { SilenceFields, useAddTypedSilence, useSilenceForm } from './silence-fields.tsx';

const { silence: messages, mutes } = texts.rules;

interface SilenceDialogProps {
  /** Filled in; the user may change them. */
  readonly symbols: readonly string[];
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

export function SilenceDialog({ symbols, returnTo, onClose }: SilenceDialogProps) {
  // The zone at opening: a change of preferences must not change the meaning of the typed times.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const form = useSilenceForm(zone, { ...EMPTY_SILENCE, symbols: symbols.join(' ') });
  const add = useAddTypedSilence(zone);
  return (
    <Dialog heading={messages.title(symbols)} className="al-silence" returnTo={returnTo} onClose={onClose}>
      <Form
        form={form}
        onSubmit={async (silence) => {
          const answer = await add(silence);
          if (answer.ok) onClose();
          return answer;
        }}
      >
        <SilenceFields form={form} zone={zone} />
        <FormProblem control={form.control} />
        <DialogActions cancel={messages.cancel} submit={mutes.save} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Nothing without a symbol: an unreadable event has none. */
export function SilenceButton({
  symbols,
  tabIndex,
}: {
  readonly symbols: readonly string[];
  readonly tabIndex?: 0 | -1;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (symbols.length === 0) return null;
  return (
    <>
      <button ref={button} type="button" className="btn" tabIndex={tabIndex} onClick={() => setOpen(true)}>
        <Icon name="muted" />
        {messages.open} <span className="spoken">{symbols.join(', ')}</span>
      </button>
      {isOpen && <SilenceDialog symbols={symbols} returnTo={button} onClose={() => setOpen(false)} />}
    </>
  );
}
