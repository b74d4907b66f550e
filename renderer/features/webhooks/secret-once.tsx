// Renderer, webhooks: something secret: it lives in this dialog alone and is gone when that closes. What cannot be shown again is given up
// deliberately alone: not by Esc, which anybody may press by the way.
import { useRef, useState } from 'react';
import { en } from '../../text/en.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { copyText } from '../../ui/text-dialog.tsx';

interface SecretOnceProps {
  readonly heading: string;
  readonly note?: string;
  readonly label?: string;
  readonly secret: string;
  /** It can be asked for anew: nothing is lost with this dialog. */
  readonly isLasting?: boolean;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

export function SecretOnce({
  heading,
  note = messages.secret.once,
  label = messages.secret.label,
  secret,
  isLasting = false,
  returnTo,
  onClose,
}: SecretOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    field.current?.select();
    setSaid((await copyText(secret)) ? en.text.copied : en.text.copyByHand);
  };
  return (
    <Dialog
      heading={heading}
      className="hook-dialog"
      isEscapeDisabled={!isLasting}
      returnTo={returnTo}
      onClose={isLasting ? onClose : () => setSaid(messages.secret.cannotClose)}
    >
      <p className="t2 hook-note">{note}</p>
      <input ref={field} className="field mono" readOnly value={secret} aria-label={label} />
      <output className="t2 hook-note">{said}</output>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={() => void copy()}>
          {en.text.copy}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {isLasting ? messages.secret.done : messages.secret.saved}
        </button>
      </div>
    </Dialog>
  );
}
