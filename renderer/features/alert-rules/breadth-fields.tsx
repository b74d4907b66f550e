// Renderer, alert rules: the fields of a condition on the share of a list, and the share as it is now.
import { useFormContext, useWatch } from 'react-hook-form';
import { symbolsOf } from '../../../shared/domain/watchlists.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { measureBreadth } from '../../../shared/settings/breadth-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { SegmentedField, SelectField, TextField } from '../../ui/form/fields.tsx';
import type { RuleDraft } from './rule-draft.ts';

const { fields } = texts.breadthRules;

export function BreadthFields() {
  const { control } = useFormContext<RuleDraft>();
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const [list, share] = useWatch({ control, name: ['shareList', 'share'] });
  const isKnown = watchlists.some(({ id }) => id === list);
  return (
    <>
      <SelectField
        control={control}
        name="shareList"
        label={fields.list}
        options={[
          ...(isKnown ? [] : [{ value: list, label: list === '' ? fields.none : texts.rules.editor.listGone(list) }]),
          ...watchlists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextField control={control} name="share" label={fields.percent} inputMode="numeric" />
      <SegmentedField
        control={control}
        name="shareState"
        label={fields.state}
        options={([2, 1] as const).map((value) => ({ value, label: fields.states[value] }))}
      />
      <p className="t3">{fields.note(Number(share))}</p>
    </>
  );
}

/** @param rule as typed; null: a field is invalid */
export const BreadthStatusNote = ({ rule }: { rule: Rule | null }) => (
  <p className="t2 al-price-status" role="status">
    {useBreadthStatus(rule)}
  </p>
);

/** The share of the rule's list now, as a sentence; null: the rule asks for none, or its list is gone. */
export function useBreadthStatus(rule: Rule | null): string | null {
  const breadth = rule?.breadth ?? null;
  const rows = useSnapshot((snapshot) => (breadth === null ? null : snapshot.rows));
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const list = breadth === null ? undefined : watchlists.find(({ id }) => id === breadth.list);
  if (breadth === null || rows === null || list === undefined) return null;
  const measured = measureBreadth(symbolsOf(list), (symbol) => rows[symbol], breadth.state);
  return texts.breadthRules.status(measured, breadth);
}
