// Renderer, profiles: asks before removing a profile, by name, and whether to delete its files.
import { z } from 'zod';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';

const messages = texts.profiles.remove;
const removalSchema = z.object({ files: z.boolean() });

export function RemoveProfile({ name, onClose }: { name: string; onClose: () => void }) {
  const { intents } = useServices();
  const form = useSchemaForm(removalSchema, { defaultValues: { files: false } });
  const { control } = form;
  return (
    <Dialog heading={messages.heading(name)} className="confirm" onClose={onClose}>
      <Form form={form} onSubmit={({ files }) => intents.ask('profiles.remove', { name, files })} onAccepted={onClose}>
        <p className="confirm-message">{messages.text}</p>
        <CheckField control={control} name="files">
          {messages.files}
        </CheckField>
        <FormProblem control={control} />
        <DialogActions cancel={messages.cancel} submit={messages.act(name)} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
