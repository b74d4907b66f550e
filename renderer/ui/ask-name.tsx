// Renderer: asks for a name.
import { type FormEvent, useId, useRef, useState } from 'react';
import { en } from '../text/en.ts';
import { Dialog } from './dialog.tsx';

interface AskNameProps {
  readonly heading: string;
  readonly label: string;
  readonly value?: string;
  /** Takes the focus back. */
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onAnswer: (name: string) => void;
  readonly onClose: () => void;
}

export function AskName({ heading, label, value = '', returnTo, onAnswer, onClose }: AskNameProps) {
  const [name, setName] = useState(value);
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const cure = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') {
      setProblem(en.lists.nameMissing);
      field.current?.focus();
      return;
    }
    onAnswer(name.trim());
    onClose();
  };
  return (
    <Dialog heading={heading} returnTo={returnTo} onClose={onClose}>
      <form onSubmit={submit}>
        <div>
          <input
            ref={field}
            className="field"
            aria-label={label}
            aria-invalid={problem !== ''}
            aria-describedby={cure}
            maxLength={80}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setProblem('');
            }}
          />
          <span id={cure} className="field-cure" aria-live="polite">
            {problem}
          </span>
        </div>
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {en.lists.cancel}
          </button>
          <button type="submit" className="btn primary">
            {en.lists.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
