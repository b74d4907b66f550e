// Renderer: a field for a day, as "2026-11-21" whatever the locale of the browser.
import { DAY_FORMAT } from '../../shared/text/timestamp-field.ts';

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  /** Id of the error message. */
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  readonly onLeave: () => void;
}

export const DayField = ({ label, value, isWrong, describedBy, onChange, onLeave }: DayFieldProps) => (
  <label>
    <span className="t3 cond">{label}</span>
    <input
      className="field"
      type="text"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={12}
      placeholder={DAY_FORMAT}
      value={value}
      aria-invalid={isWrong}
      aria-describedby={isWrong ? describedBy : undefined}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
    />
  </label>
);
