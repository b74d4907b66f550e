// Renderer: the two fields of a range of days, which filters while it is typed, and their error.
import { useId } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { DayField } from './day-field.tsx';
import { type DayRange, useDayRange } from './use-day-range.ts';

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
