// Renderer, mutes: dialogs that silence an alert's symbols or edit a silence.
import { useState } from 'react';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions, Form, FormProblem } from '../../ui/form/form.tsx';
import { EMPTY_SILENCE, matcherTexts, type SilenceText } from './silence-draft.ts';
import { SilenceFields, silenceText, useSaveTypedSilence, useSilenceForm } from './silence-fields.tsx';

const messages = texts.silences;
const mutes = texts.mutes;

/** @param props.symbols filled in; the user may change them */
export function SilenceDialog({ symbols, onClose }: { symbols: readonly string[]; onClose: () => void }) {
  const matchers = matcherTexts(symbolMatchers(symbols));
  const text = (): SilenceText => ({ ...EMPTY_SILENCE, matchers });
  return <SilenceFormDialog heading={messages.title(symbols)} text={text} edited={null} onClose={onClose} />;
}

export function EditSilenceDialog({ mute, onClose }: { mute: Mute; onClose: () => void }) {
  const now = useWorldMinute();
  const text = (zone: Zone): SilenceText => silenceText(mute, zone, now);
  return <SilenceFormDialog heading={messages.editTitle} text={text} edited={mute} onClose={onClose} />;
}

interface FormDialogProps {
  readonly onClose: () => void;
  readonly heading: string;
  /** The initial values of the form. */
  readonly text: (zone: Zone) => SilenceText;
  readonly edited: Mute | null;
}

function SilenceFormDialog({ heading, text, edited, onClose }: FormDialogProps) {
  // The zone at opening: a change of preferences must not change the meaning of the typed times.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const form = useSilenceForm(zone, text(zone));
  const save = useSaveTypedSilence(zone, edited);
  return (
    <Dialog heading={heading} className="al-silence" onClose={onClose}>
      <Form form={form} onSubmit={save} onAccepted={onClose}>
        <SilenceFields form={form} zone={zone} />
        <FormProblem control={form.control} />
        <DialogActions
          cancel={messages.cancel}
          submit={edited === null ? mutes.save : mutes.change_save}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
