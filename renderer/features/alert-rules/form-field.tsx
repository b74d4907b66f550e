// Renderer: a field with its name above it and, where what was typed cannot be taken, the cure below it.
import { type ReactNode, useId } from 'react';

interface FormFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
  readonly type?: 'text' | 'password' | 'email';
  readonly hint?: string;
  readonly rows?: number;
  readonly className?: string;
  readonly list?: readonly string[];
  readonly onBlur?: () => void;
}

export function FormField({
  label,
  value,
  onChange,
  problem,
  type = 'text',
  hint,
  rows,
  className = '',
  list,
  onBlur,
}: FormFieldProps) {
  const id = useId();
  const shared = {
    id,
    className: 'field',
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-problem`,
    autoComplete: 'off',
    spellCheck: false,
    placeholder: hint,
    onBlur,
  };
  return (
    <div className={`al-field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input
          {...shared}
          type={type}
          list={list === undefined ? undefined : `${id}-list`}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      )}
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <Problem id={`${id}-problem`} problem={problem} />
    </div>
  );
}

export const Problem = ({ id, problem }: { id?: string; problem: string | undefined }) => (
  <span id={id} className="al-cure" aria-live="polite">
    {problem}
  </span>
);

interface FormChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, from the platform's own list. */
export function FormChoice<Value extends string>({ label, value, options, onChange }: FormChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="al-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FormChecksProps<Value extends string | number> {
  readonly label: string;
  readonly chosen: readonly Value[];
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: Value[]) => void;
}

/** Any of several, in the order in which they stand. */
export function FormChecks<Value extends string | number>({
  label,
  chosen,
  options,
  problem,
  onChange,
}: FormChecksProps<Value>) {
  const toggle = (value: Value): void =>
    onChange(
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))),
    );
  return (
    <fieldset className="al-field al-checks">
      <legend>{label}</legend>
      <div>
        {options.map(({ value, label: name }) => (
          <label key={value} className="al-check">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {name}
          </label>
        ))}
      </div>
      <Problem problem={problem} />
    </fieldset>
  );
}
