// Renderer, settings: the components of every section: head, named line, number field.
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { type BoundField, useTextInput } from '../../ui/form/fields.tsx';
import { FieldProblem } from '../../ui/form/form.tsx';

export function Section({ heading, sub, children }: { heading: string; sub: string; children: ReactNode }) {
  return (
    <>
      <header className="head page-head">
        <h2>{heading}</h2>
        <span className="sub ell">{sub}</span>
      </header>
      <div className="settings-lines">{children}</div>
    </>
  );
}

/** The name is only visible; controls have names of their own. */
export function Line({ name, why, children }: { name: string; why?: ReactNode; children: ReactNode }) {
  return (
    <div className="settings-line">
      <span className="settings-name">{name}</span>
      <div>
        {children}
        {why !== undefined && <p className="t3">{why}</p>}
      </div>
    </div>
  );
}

interface NumberFieldProps<Values extends FieldValues, Output> extends BoundField<Values, string | null, Output> {
  readonly label: string;
  readonly unit: string;
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

/** A whole number on a line of its own. */
export function NumberField<Values extends FieldValues, Output>({
  control,
  name,
  label,
  unit,
  isDisabled = false,
  children,
}: NumberFieldProps<Values, Output>) {
  const { id, input, problem } = useTextInput({ control, name });
  return (
    <div className="settings-line">
      <label className="settings-name" htmlFor={id}>
        {label}
      </label>
      <div>
        <span className="row">
          <input {...input} className="field number" inputMode="numeric" maxLength={6} disabled={isDisabled} />
          <span className="t2">{unit}</span>
          {children}
        </span>
        <FieldProblem id={id}>{problem}</FieldProblem>
      </div>
    </div>
  );
}
