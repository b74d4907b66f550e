// Renderer: asks once before something is destroyed, by name.
import { texts } from '../../shared/text/texts.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly heading: string;
  readonly message: string;
  /** Label of the button: "Remove". */
  readonly act: string;
  readonly returnTo?: { readonly current: HTMLElement | null };
  readonly onYes: () => void;
  readonly onClose: () => void;
}

export function Confirm({ heading, message, act, onYes, onClose, ...rest }: ConfirmProps) {
  return (
    <Dialog heading={heading} className="confirm" onClose={onClose} {...rest}>
      <p className="confirm-message">{message}</p>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onClose}>
          {texts.lists.cancel}
        </button>
        <button
          type="button"
          className="btn primary"
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {act}
        </button>
      </div>
    </Dialog>
  );
}
