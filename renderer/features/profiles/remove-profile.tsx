// Renderer, profiles: asks once before a profile is removed, naming it, and whether its files go too.
import { useState } from 'react';
import { useServices } from '../../services.ts';
import { profileText } from '../../text/profiles.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldProblem } from '../../ui/field.tsx';
import { returnTo } from './dialog-request.ts';

const messages = profileText.remove;

export function RemoveProfile({ name, onClose }: { name: string; onClose: () => void }) {
  const { intents } = useServices();
  const [files, setFiles] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    const answer = await intents.ask('profiles.remove', { name, files });
    if (answer.ok) onClose();
    else setProblem(answer.error);
  };
  return (
    <Dialog heading={messages.heading(name)} className="confirm" returnTo={returnTo} onClose={onClose}>
      <p className="confirm-message">{messages.text}</p>
      <label className="form-check">
        <input type="checkbox" checked={files} onChange={() => setFiles(!files)} />
        <span>{messages.files}</span>
      </label>
      <FieldProblem>{problem}</FieldProblem>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onClose}>
          {messages.cancel}
        </button>
        <button type="button" className="btn primary" onClick={() => void remove()}>
          {messages.act(name)}
        </button>
      </div>
    </Dialog>
  );
}
