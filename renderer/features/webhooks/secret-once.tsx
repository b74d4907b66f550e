// Renderer, webhooks: something secret, shown once: it lives in this dialog alone and is gone when that closes.
import { useRef, useState } from 'react';
import { en } from '../../text/en.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { copyText } from '../../ui/text-dialog.tsx';

interface SecretOnceProps {
  readonly heading: string;
  readonly note?: string;
  readonly label?: string;
  readonly secret: string;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

export function SecretOnce({ heading, note = words.secret.once, label = words.secret.label, secret, returnTo, onClose }: SecretOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    field.current?.select();
    setSaid((await copyText(secret)) ? en.text.copied : en.text.copyByHand);
  };
  return (
    <Dialog heading={heading} className="hook-dialog" returnTo={returnTo} onClose={onClose}>
      <p className="t2 hook-note">{note}</p>
      <input ref={field} className="field mono" readOnly value={secret} aria-label={label} />
      <div className="dialog-actions">
        <output className="grow t2">{said}</output>
        <button type="button" className="btn line" onClick={() => void copy()}>
          {en.text.copy}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {words.secret.done}
        </button>
      </div>
    </Dialog>
  );
}
