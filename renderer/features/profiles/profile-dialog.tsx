// Renderer, profiles: the dialogs by kind of request.

import { z } from 'zod';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { AddKey } from './add-key.tsx';
import { CrashMarket, FollowCoins } from './add-market.tsx';
import { AddPrices } from './add-prices.tsx';
import type { DialogRequest } from './dialog-request.ts';
import { FollowShares } from './follow-shares.tsx';
import { StateWords } from './state-words.tsx';
import './profiles.css';

export function ProfileDialog({ dialog, onClose }: { dialog: DialogRequest; onClose: () => void }) {
  switch (dialog.kind) {
    case 'key':
      return <AddKey environment={dialog.environment} onClose={onClose} />;
    case 'prices':
      return <AddPrices replayOf={dialog.replayOf ?? null} onClose={onClose} />;
    case 'crashMarket':
      return <CrashMarket onClose={onClose} />;
    case 'coins':
      return <FollowCoins onClose={onClose} />;
    case 'shares':
      return <FollowShares onClose={onClose} />;
    case 'states':
      return <StateWords onClose={onClose} />;
    case 'remove':
      return <RemoveProfile name={dialog.name} onClose={onClose} />;
  }
}

const messages = texts.profiles.remove;
const removalSchema = z.object({ files: z.boolean() });

/** Asks before removing a profile, by name, and whether to delete its files. */
function RemoveProfile({ name, onClose }: { name: string; onClose: () => void }) {
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
