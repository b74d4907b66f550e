// Renderer, mutes: the conditions of a silence: label, comparison and values, one row each.
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { ASSET_CLASSES } from '../../../shared/domain/instruments.ts';
import { MATCHER_NAMES, type MatcherName, OPERATORS, sectionKey } from '../../../shared/domain/matchers.ts';
import { STATES, stateLabel } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChecksField, SelectField, TextField } from '../../ui/form/fields.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EMPTY_MATCHER, type SilenceText } from './silence-draft.ts';

const { mutes: messages, silence, editor } = texts.rules;
const MOST = 5;

export function MatcherFields() {
  const { control } = useFormContext<SilenceText>();
  const { fields, append, remove } = useFieldArray({ control, name: 'matchers' });
  return (
    <fieldset className="al-matchers">
      <legend>{messages.matchers}</legend>
      {fields.length === 0 && <p className="t2">{messages.noMatchers}</p>}
      {fields.map(({ id }, index) => (
        <MatcherRow key={id} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length < MOST && (
        <button type="button" className="btn line" onClick={() => append({ ...EMPTY_MATCHER, name: 'class' })}>
          {messages.addMatcher}
        </button>
      )}
    </fieldset>
  );
}

function MatcherRow({ index, onRemove }: { readonly index: number; readonly onRemove: () => void }) {
  const { control, setValue } = useFormContext<SilenceText>();
  const name = useWatch({ control, name: `matchers.${index}.name` });
  return (
    <div className="al-matcher">
      <div className="row">
        <SelectField
          control={control}
          name={`matchers.${index}.name`}
          label={messages.matcherName}
          options={MATCHER_NAMES.map((value) => ({ value, label: messages.matcherNames[value] }))}
          onEdit={() => setValue(`matchers.${index}.chosen`, [])}
        />
        <SelectField
          control={control}
          name={`matchers.${index}.operator`}
          label={messages.operator}
          options={OPERATORS.map((value) => ({ value, label: messages.operators[value] }))}
        />
        <IconButton icon="close" label={messages.removeMatcher(name)} onClick={onRemove} />
      </div>
      {name === 'symbol' ? (
        <TextField control={control} name={`matchers.${index}.symbols`} label={messages.symbols} />
      ) : (
        <ValuesField index={index} name={name} />
      )}
    </div>
  );
}

/** The field of a matcher's values: those of the current lists, and chosen ones that no longer exist. */
function ValuesField({ index, name }: { readonly index: number; readonly name: Exclude<MatcherName, 'symbol'> }) {
  const { control } = useFormContext<SilenceText>();
  const chosen = useWatch({ control, name: `matchers.${index}.chosen` });
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const options = {
    list: () => lists.map(({ id, name: label }) => ({ value: id, label })),
    section: () =>
      lists.flatMap(({ id, sections }) =>
        sections.map((section) => {
          const value = sectionKey(id, section.name);
          return { value, label: silence.sectionName(value, lists) };
        }),
      ),
    class: () => ASSET_CLASSES.map((value) => ({ value, label: editor.classNames[value] })),
    state: () => STATES.map((value) => ({ value: String(value), label: stateLabel(value) })),
  }[name]();
  const gone = chosen.filter((value) => !options.some((option) => option.value === value));
  return (
    <ChecksField
      control={control}
      name={`matchers.${index}.chosen`}
      label={messages.matcherNames[name]}
      options={[...options, ...gone.map((value) => ({ value, label: editor.listGone(value) }))]}
    />
  );
}
