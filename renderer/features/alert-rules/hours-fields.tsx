// Renderer: a recurring range of time, as it is written: by a market's calendar, or by days and times of a zone.
import { useMemo } from 'react';
import { ruleText } from '../../text/rules.ts';
import { FormChecks, FormChoice, FormField } from './form-field.tsx';
import type { HoursDraft, Problems } from './rule-draft.ts';

const { editor, calendars, days } = ruleText;
/** Monday first. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

interface HoursFieldsProps {
  readonly hours: HoursDraft;
  readonly problems: Problems;
  readonly onChange: (hours: HoursDraft) => void;
}

export function HoursFields({ hours, problems, onChange }: HoursFieldsProps) {
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  const set = (more: Partial<HoursDraft>): void => onChange({ ...hours, ...more });
  if (hours.kind === 'session')
    return (
      <FormChoice
        label={editor.calendar}
        value={hours.calendar}
        options={(['own', 'us', 'fx', 'always'] as const).map((value) => ({ value, label: calendars[value] }))}
        onChange={(calendar) => set({ calendar })}
      />
    );
  if (hours.kind !== 'daily') return null;
  return (
    <>
      <FormChecks
        label={editor.days}
        chosen={hours.days}
        options={WEEK.map((value) => ({ value, label: days[value] }))}
        problem={problems.days}
        onChange={(chosen) => set({ days: chosen })}
      />
      <div className="al-fields">
        <FormField
          label={editor.from}
          hint="HH:MM"
          value={hours.from}
          problem={problems.from}
          onChange={(from) => set({ from })}
        />
        <FormField
          label={editor.to}
          hint="HH:MM"
          value={hours.to}
          problem={problems.to}
          onChange={(to) => set({ to })}
        />
        <FormField
          label={editor.zone}
          value={hours.zone}
          list={zones}
          problem={problems.zone}
          onChange={(zone) => set({ zone })}
        />
      </div>
    </>
  );
}
