// Renderer, alert rules: the channels of a rule besides the desktop, its escalation, and its sound.
import { useEffect, useState } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { MOST_STEPS, SOUNDS } from '../../../shared/settings/alert-rules.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { goTo } from '../../store/route.ts';
import { useApp } from '../../store/store.ts';
import { ChecksField, SegmentedField, TextField } from '../../ui/form/fields.tsx';
import { HoursFields } from './hours-fields.tsx';
import type { RuleDraft } from './rule-draft.ts';

const { editor } = texts.rules;

export function ChannelFields() {
  const { control } = useFormContext<RuleDraft>();
  const chosen = useWatch({ control, name: 'channels' });
  const options = useChannelOptions(chosen);
  return (
    <>
      {options.length > 0 && (
        <>
          <ChecksField control={control} name="channels" label={editor.channels} options={options} />
          <Escalation />
        </>
      )}
      <div className="row">
        <span className="t3 grow">{options.length === 0 ? editor.noChannels : editor.channelsNote}</span>
        <button type="button" className="btn quiet" onClick={() => goTo({ page: 'settings', item: 'channels' })}>
          {editor.setUpChannels}
        </button>
      </div>
    </>
  );
}

/** The channels of the settings, and those that the rule names and that are gone. */
function useChannelOptions(chosen: readonly string[]) {
  const channels = useApp(({ features }) => features.alerting?.channels);
  const known = (channels ?? []).flatMap(({ channel }) => channel ?? []);
  const gone = chosen.filter((id) => !known.some((channel) => channel.id === id));
  return [
    ...known.map(({ id, name }) => ({ value: id, label: name })),
    ...gone.map((id) => ({ value: id, label: editor.channelGone(id) })),
  ];
}

/** Between steps, unless the user says otherwise. */
const STEP_MINUTES = 15;

/** Further channels while nobody has dealt with the alert. */
function Escalation() {
  const { control } = useFormContext<RuleDraft>();
  const { fields, append, remove } = useFieldArray({ control, name: 'escalation' });
  const atOnce = useWatch({ control, name: 'channels' });
  const options = useChannelOptions([]);
  // A new step is valid: the form checks it as soon as it is there.
  const addStep = (): void => {
    const next = options.find(({ value }) => !atOnce.includes(value)) ?? options[0];
    append({ after: String(STEP_MINUTES * (fields.length + 1)), channels: next === undefined ? [] : [next.value] });
  };
  return (
    <fieldset className="form-field">
      <legend>{editor.escalation}</legend>
      {fields.map(({ id }, index) => (
        <EscalationStep key={id} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length < MOST_STEPS && (
        <div className="row">
          <button type="button" className="btn line" onClick={addStep}>
            {editor.addStep}
          </button>
        </div>
      )}
      {fields.length > 0 && (
        <>
          <SegmentedField
            control={control}
            name="escalationHours.kind"
            label={editor.escalationHours}
            options={(['always', 'session', 'daily'] as const).map((value) => ({
              value,
              label: editor.hourKinds[value],
            }))}
          />
          <HoursFields name="escalationHours" />
          <p className="t3">{editor.escalationNote}</p>
        </>
      )}
    </fieldset>
  );
}

function EscalationStep({ index, onRemove }: { readonly index: number; readonly onRemove: () => void }) {
  const { control, clearErrors } = useFormContext<RuleDraft>();
  const name = `escalation.${index}.channels` as const;
  const chosen = useWatch({ control, name });
  const options = useChannelOptions(chosen);
  // The form checks a choice when it loses the focus, which would keep the problem beside the cure.
  useEffect(() => {
    if (chosen.length > 0) clearErrors(name);
  }, [chosen, name, clearErrors]);
  return (
    <>
      <div className="al-fields">
        <TextField
          control={control}
          name={`escalation.${index}.after`}
          label={editor.stepAfter(index + 1)}
          inputMode="numeric"
        />
        <button type="button" className="btn quiet" aria-label={editor.removeStepOf(index + 1)} onClick={onRemove}>
          {editor.removeStep}
        </button>
      </div>
      <ChecksField control={control} name={name} label={editor.stepChannels(index + 1)} options={options} />
    </>
  );
}

/** The sound of a rule, and a test that plays it as an alert would. */
export function SoundFields() {
  const { control } = useFormContext<RuleDraft>();
  const { intents } = useServices();
  const sound = useWatch({ control, name: 'sound' });
  const [result, setResult] = useState('');
  const test = async (): Promise<void> => {
    if (sound === 'none') return;
    setResult(editor.soundTesting);
    const tested = await intents.ask('sound.test', { name: sound });
    setResult(tested.ok ? textOf(tested.value.detail) : tested.error);
  };
  return (
    <>
      <SegmentedField
        control={control}
        name="sound"
        label={editor.sound}
        options={(['none', ...SOUNDS] as const).map((value) => ({ value, label: editor.sounds[value] }))}
      />
      {sound !== 'none' && (
        <>
          <div className="row al-channel-actions">
            <button type="button" className="btn" onClick={() => void test()}>
              {editor.soundTest}
            </button>
            <span className="grow t2 cond" role="status">
              {result}
            </span>
          </div>
          <TextField control={control} name="soundRepeat" label={editor.soundRepeat} inputMode="numeric" />
          <p className="t3">{editor.soundNote}</p>
        </>
      )}
    </>
  );
}
