// Renderer, alert rules: the sound of a rule, and a test that plays it as an alert would.
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { SOUNDS } from '../../../shared/settings/alert-rules.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { SegmentedField, TextField } from '../../ui/form/fields.tsx';
import type { RuleDraft } from './rule-draft.ts';

const { editor } = texts.rules;

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
