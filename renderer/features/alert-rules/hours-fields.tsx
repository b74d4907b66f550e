// Renderer, alert rules: the fields of recurring hours: a market's calendar, or days and times.
import { useMemo } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { SESSION_CALENDARS } from '../../../shared/domain/sessions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { ChecksField, SelectField, TextField } from '../../ui/form/fields.tsx';
import type { HoursDraft } from './rule-draft.ts';

const { editor, calendars, days } = texts.rules;
/** Monday first. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

type HoursName = 'hours' | 'escalationHours';

/** Fields of hours in the form around it. */
export function HoursFields({ name = 'hours' }: { readonly name?: HoursName }) {
  const { control } = useFormContext<Record<HoursName, HoursDraft>>();
  const kind = useWatch({ control, name: `${name}.kind` });
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  if (kind === 'session')
    return (
      <SelectField
        control={control}
        name={`${name}.calendar`}
        label={editor.calendar}
        options={(['own', ...SESSION_CALENDARS] as const).map((value) => ({ value, label: calendars[value] }))}
      />
    );
  if (kind !== 'daily') return null;
  return (
    <>
      <ChecksField
        control={control}
        name={`${name}.days`}
        label={editor.days}
        options={WEEK.map((value) => ({ value, label: days[value] }))}
      />
      <div className="al-fields">
        <TextField control={control} name={`${name}.from`} label={editor.from} placeholder="HH:MM" />
        <TextField control={control} name={`${name}.to`} label={editor.to} placeholder="HH:MM" />
        <TextField control={control} name={`${name}.zone`} label={editor.zone} suggestions={zones} />
      </div>
    </>
  );
}
