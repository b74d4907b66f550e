// Renderer: a dialog that asks for a name.
import { z } from 'zod';
import { texts } from '../../shared/text/texts.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './form/fields.tsx';
import { DialogActions, Form, type Submitted, useSchemaForm } from './form/form.tsx';

interface AskNameProps {
  readonly heading: string;
  readonly label: string;
  readonly value?: string;
  /** A refusal is shown at the field, and the dialog stays open with the name. */
  readonly onAnswer: (name: string) => Promise<Submitted>;
  readonly onClose: () => void;
}

const nameSchema = z.object({ name: z.string().trim().min(1, texts.lists.nameMissing) });

export function AskName({ heading, label, value = '', onAnswer, onClose }: AskNameProps) {
  const form = useSchemaForm(nameSchema, { defaultValues: { name: value } });
  return (
    <Dialog heading={heading} onClose={onClose}>
      <Form form={form} refusalAt="name" onSubmit={({ name }) => onAnswer(name)} onAccepted={onClose}>
        <TextField control={form.control} name="name" label={label} isSpoken maxLength={80} />
        <DialogActions cancel={texts.lists.cancel} submit={texts.lists.save} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
