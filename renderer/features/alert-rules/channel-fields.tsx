// Renderer, alert rules: the fields of the second channel; its secret goes to the keychain.
import { type ReactNode, useState } from 'react';
import { type Control, useFormContext, useWatch } from 'react-hook-form';
import { type NotificationChannel, SOUNDS } from '../../../shared/settings/alert-rules.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { CheckField, SegmentedField, TextField } from '../../ui/form/fields.tsx';
import type { RuleDraft } from './rule-draft.ts';

const { editor } = texts.rules;
const KIND_NAMES: Readonly<Record<RuleDraft['channel'], string>> = editor.channelKinds;
const CHANNEL_KINDS = Object.keys(KIND_NAMES) as RuleDraft['channel'][];

/** The fields of each kind of channel, besides its secret. */
const FIELDS: Readonly<Record<NotificationChannel['kind'], (control: Control<RuleDraft>) => ReactNode>> = {
  ntfy: (control) => <TextField control={control} name="url" label={editor.url} placeholder={editor.urlHint} />,
  mail: (control) => (
    <>
      <div className="al-fields">
        <TextField control={control} name="host" label={editor.host} isWide />
        <TextField control={control} name="port" label={editor.port} />
      </div>
      <CheckField control={control} name="secure">
        {editor.secure}
      </CheckField>
      <div className="al-fields">
        <TextField control={control} name="sender" label={editor.sender} />
        <TextField control={control} name="recipient" label={editor.recipient} />
        <TextField control={control} name="user" label={editor.user} />
      </div>
    </>
  ),
};

/** @param isAsSaved the rule has no unsaved edits, so a test uses what the form shows */
export function ChannelFields({ isAsSaved }: { isAsSaved: boolean }) {
  const { control } = useFormContext<RuleDraft>();
  const [channel, id] = useWatch({ control, name: ['channel', 'id'] });
  return (
    <>
      <SegmentedField
        control={control}
        name="channel"
        label={editor.channel}
        options={CHANNEL_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
      />
      {channel !== 'none' && (
        <>
          {FIELDS[channel](control)}
          <TextField control={control} name="secret" label={editor.secret[channel]} type="password" />
          <p className="t3">{editor.secretNote}</p>
          {id !== null && <SavedChannel id={id} isAsSaved={isAsSaved} />}
        </>
      )}
    </>
  );
}

/** The actions that need a saved rule: testing its channel, deleting its secret. */
function SavedChannel({ id, isAsSaved }: { id: string; isAsSaved: boolean }) {
  const { intents } = useServices();
  const [result, setResult] = useState('');
  const test = async (): Promise<void> => {
    setResult(editor.testing);
    const tested = await intents.ask('channel.test', { rule: id });
    setResult(tested.ok ? editor.tested(textOf(tested.value.detail)) : tested.error);
  };
  const forget = async (): Promise<void> => {
    const gone = await intents.ask('channel.secret', { rule: id, secret: null });
    setResult(gone.ok ? editor.secretForgotten : gone.error);
  };
  return (
    <div className="row al-channel-actions">
      <button type="button" className="btn" disabled={!isAsSaved} onClick={() => void test()}>
        {editor.test}
      </button>
      <button type="button" className="btn quiet" disabled={!isAsSaved} onClick={() => void forget()}>
        {editor.secretForget}
      </button>
      <span className="grow t2 cond" role="status">
        {isAsSaved ? result : editor.testFirst}
      </span>
    </div>
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
