// Renderer, settings: the parts of every section: its head, a line with a name and a control, a number that is refused where it was typed.
import { type ReactNode, useId } from 'react';
import { FieldInput, FieldProblem } from '../../ui/field.tsx';

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

/** The name is for the eye; controls name themselves. */
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

interface WholeNumberProps {
  readonly name: string;
  readonly unit: string;
  readonly value: string;
  readonly problem: string | null;
  readonly disabled?: boolean;
  readonly onChange: (text: string) => void;
  readonly children?: ReactNode;
}

/** @param problem why what stands there cannot be saved */
export function WholeNumber({ name, unit, value, problem, disabled = false, onChange, children }: WholeNumberProps) {
  const id = useId();
  return (
    <div className="settings-line">
      <label className="settings-name" htmlFor={id}>
        {name}
      </label>
      <div>
        <span className="row">
          <FieldInput
            id={id}
            className="number"
            inputMode="numeric"
            maxLength={6}
            value={value}
            disabled={disabled}
            problem={problem}
            onChange={onChange}
          />
          <span className="t2">{unit}</span>
          {children}
        </span>
        <FieldProblem id={id}>{problem}</FieldProblem>
      </div>
    </div>
  );
}

/** A whole number of the range out of what was typed; null where it is none. */
export function wholeOf(text: string, least: number, most: number): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
