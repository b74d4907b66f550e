// Renderer: the two fields of a range of days, which filters while it is typed, and their error.
import { useId, useState } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { DAY_FORMAT, parseDay } from '../../shared/text/timestamp-field.ts';

interface DayRangeFieldsProps {
  /** The range in use. */
  readonly range: DayRange;
  readonly labels: Readonly<Record<keyof DayRange, string>>;
  /** Called with every valid range. */
  readonly onChange: (range: DayRange) => void;
}

export function DayRangeFields({ range, labels, onChange }: DayRangeFieldsProps) {
  const { typed, bad, change, leave } = useDayRange(range, onChange);
  const id = useId();
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <DayField
          key={end}
          label={labels[end]}
          value={typed[end]}
          isWrong={bad !== null}
          describedBy={id}
          onChange={(text) => change({ from: typed.from, to: typed.to, [end]: text })}
          onLeave={leave}
        />
      ))}
      {bad !== null && (
        <span className="wrong" id={id}>
          {texts.briefings.badDays[bad]}
        </span>
      )}
    </>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  /** Id of the error message. */
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  readonly onLeave: () => void;
}

/** A field for a day, as "2026-11-21" whatever the locale of the browser. */
const DayField = ({ label, value, isWrong, describedBy, onChange, onLeave }: DayFieldProps) => (
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

/** Days as "2026-11-21"; "": open. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Why the fields are invalid: a text is not a day, or the days are in the wrong order. */
type RangeFault = 'no_day' | 'order';

/** @returns the range, or why it is invalid */
export function readRange({ from, to }: DayRange): DayRange | RangeFault {
  const read = { from: from.trim() === '' ? '' : parseDay(from), to: to.trim() === '' ? '' : parseDay(to) };
  if (read.from === null || read.to === null) return 'no_day';
  return read.from !== '' && read.to !== '' && read.from > read.to ? 'order' : { from: read.from, to: read.to };
}

/**
 * Invalid text stays in the fields, and the range in use stays the last valid one.
 * @param onGood called with every valid range
 */
function useDayRange({ from, to }: DayRange, onGood: (range: DayRange) => void) {
  const [typed, setTyped] = useState({ from, to, of: `${from} ${to}` });
  // An incomplete day is no error while it is being typed.
  const [left, setLeft] = useState(false);
  // The range was changed elsewhere: by its chip, or by clearing all.
  if (typed.of !== `${from} ${to}`) setTyped({ from, to, of: `${from} ${to}` });
  const read = readRange(typed);
  const bad: RangeFault | null = typeof read === 'object' || (read === 'no_day' && !left) ? null : read;
  return {
    typed,
    bad,
    change(range: DayRange): void {
      const next = readRange(range);
      setLeft(false);
      setTyped({ ...range, of: typeof next === 'object' ? `${next.from} ${next.to}` : typed.of });
      if (typeof next === 'object') onGood(next);
    },
    /** A field lost the focus. */
    leave: () => setLeft(true),
  };
}
