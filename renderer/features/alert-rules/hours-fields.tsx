// Renderer, alert rules: the fields of recurring hours: a market's calendar, or days and times.
import { useMemo } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { texts } from '../../../shared/text/texts.ts';
import { ChecksField, SelectField, TextField } from '../../ui/form/fields.tsx';
import type { HoursDraft } from './rule-draft.ts';

const { editor, calendars, days } = texts.rules;
/** Monday first. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** The field `hours` of the form around it. */
export function HoursFields() {
  const { control } = useFormContext<{ hours: HoursDraft }>();
  const kind = useWatch({ control, name: 'hours.kind' });
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  if (kind === 'session')
    return (
      <SelectField
        control={control}
        name="hours.calendar"
        label={editor.calendar}
        options={(['own', 'us', 'fx', 'always'] as const).map((value) => ({ value, label: calendars[value] }))}
      />
    );
  if (kind !== 'daily') return null;
  return (
    <>
      <ChecksField
        control={control}
        name="hours.days"
        label={editor.days}
        options={WEEK.map((value) => ({ value, label: days[value] }))}
      />
      <div className="al-fields">
        <TextField control={control} name="hours.from" label={editor.from} placeholder="HH:MM" />
        <TextField control={control} name="hours.to" label={editor.to} placeholder="HH:MM" />
        <TextField control={control} name="hours.zone" label={editor.zone} suggestions={zones} />
      </div>
    </>
  );
}
