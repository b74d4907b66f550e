// Renderer: a field with its name above it, and below it why what was typed cannot be taken.
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

type OfInput = 'autoComplete' | 'className' | 'disabled' | 'inputMode' | 'maxLength' | 'placeholder' | 'type';

interface FieldInputProps extends Pick<InputHTMLAttributes<HTMLInputElement>, OfInput> {
  readonly value: string;
  /** Why it cannot be taken; null where it can. */
  readonly problem: string | null;
  readonly onChange: (text: string) => void;
}

/** The field alone: `FieldProblem` with the same id says the problem. */
export function FieldInput({
  id,
  problem,
  className = '',
  onChange,
  ...input
}: FieldInputProps & { readonly id: string }) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...input}
      id={id}
      className={`field ${className}${problem === null ? '' : ' is-wrong'}`}
      aria-invalid={problem !== null}
      aria-describedby={`${id}-problem`}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** @param id of the field that it speaks of */
export const FieldProblem = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id === undefined ? undefined : `${id}-problem`} className="form-problem" role="alert">
    {children}
  </p>
);

interface FieldProps extends FieldInputProps {
  readonly label: string;
  /** The label is for a reader's voice alone: the eye has a heading. */
  readonly isSpoken?: boolean;
  /** Something else that went wrong and is said here, though what was typed can be taken. */
  readonly note?: string | null;
}

export function Field({ label, isSpoken = false, note = null, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="form-field">
      <label htmlFor={id} className={isSpoken ? 'spoken' : undefined}>
        {label}
      </label>
      <FieldInput id={id} {...input} />
      <FieldProblem id={id}>{input.problem ?? note}</FieldProblem>
    </div>
  );
}
