// Renderer, webhooks: the dialog that shows a secret once.
// A secret that cannot be shown again is closed only by its button: Escape is too easily pressed by mistake.
import { useRef, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';

import { Dialog } from '../../ui/dialog.tsx';
import { copyText } from '../../ui/text-dialog.tsx';

interface SecretOnceProps {
  readonly heading: string;
  readonly note?: string;
  readonly label?: string;
  readonly secret: string;
  /** The secret can be requested again: closing loses nothing. */
  readonly isLasting?: boolean;
  readonly onClose: () => void;
}

export function SecretOnce({
  heading,
  note = texts.webhooks.secret.once,
  label = texts.webhooks.secret.label,
  secret,
  isLasting = false,
  onClose,
}: SecretOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    field.current?.select();
    setSaid((await copyText(secret)) ? texts.common.text.copied : texts.common.text.copyByHand);
  };
  return (
    <Dialog
      heading={heading}
      className="hook-dialog"
      isEscapeDisabled={!isLasting}
      onClose={isLasting ? onClose : () => setSaid(texts.webhooks.secret.cannotClose)}
    >
      <p className="t2 hook-note">{note}</p>
      <input ref={field} className="field mono" readOnly value={secret} aria-label={label} />
      <output className="t2 hook-note">{said}</output>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={() => void copy()}>
          {texts.common.text.copy}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {isLasting ? texts.webhooks.secret.done : texts.webhooks.secret.saved}
        </button>
      </div>
    </Dialog>
  );
}
