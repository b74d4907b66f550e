// Renderer: a row of choices that exclude each other.
import type { ReactNode } from 'react';

interface SegmentedControlProps<Value extends string | number> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** null: none is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** Further segments. */
  readonly children?: ReactNode;
}

export function SegmentedControl<Value extends string | number>({
  label,
  options,
  value,
  onChange,
  children,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((option) => (
        <button
          type="button"
          key={option.value}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
      {children}
    </fieldset>
  );
}
