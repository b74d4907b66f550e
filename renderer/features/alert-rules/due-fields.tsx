// Renderer, alert rules: the fields of a condition on what is due.
import { useFormContext, useWatch } from 'react-hook-form';
import { SCHEDULED_KINDS } from '../../../shared/domain/scheduled-events.ts';
import { texts } from '../../../shared/text/texts.ts';
import { unreadIn, useSchedule } from '../../queries/schedule.ts';
import { ChecksField, SegmentedField, TextField } from '../../ui/form/fields.tsx';
import type { DueDraft } from './due-draft.ts';

export function DueFields() {
  const { control } = useFormContext<DueDraft>();
  const when = useWatch({ control, name: 'dueWhen' });
  const { editor, kinds } = texts.due;
  return (
    <>
      <SegmentedField
        control={control}
        name="dueWhen"
        label={editor.when}
        options={(['any', 'only', 'not'] as const).map((value) => ({ value, label: editor.choices[value] }))}
      />
      {when !== 'any' && (
        <>
          <ChecksField
            control={control}
            name="dueKinds"
            label={editor.kinds}
            options={SCHEDULED_KINDS.map((value) => ({ value, label: kinds[value] }))}
          />
          <TextField control={control} name="dueSessions" label={editor.sessions} />
          <DueNote />
        </>
      )}
    </>
  );
}

function DueNote() {
  const schedule = useSchedule();
  const { editor, unread } = texts.due;
  const broken = unreadIn(schedule);
  return (
    <p className="t2" role="status">
      {schedule?.sources.length === 0 ? editor.noLists : broken.length > 0 ? unread(broken) : editor.note}
    </p>
  );
}
