// Renderer: where a rule tells besides the desktop. The secret goes to the keychain with the rule and never comes back.
import { useState } from 'react';
import { useServices } from '../../services.ts';
import { ruleText } from '../../text/rules.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { FormField } from './form-field.tsx';
import type { Problems, RuleDraft } from './rule-draft.ts';

const { editor } = ruleText;

interface ChannelFieldsProps {
  readonly draft: RuleDraft;
  readonly problems: Problems;
  /** Nothing was changed since it was saved, so a test tests what is seen. */
  readonly isAsSaved: boolean;
  readonly set: (more: Partial<RuleDraft>) => void;
  readonly leave: (field: string) => () => void;
}

export function ChannelFields({ draft, problems, isAsSaved, set, leave }: ChannelFieldsProps) {
  const text = (field: keyof RuleDraft, label: string, more: Partial<Parameters<typeof FormField>[0]> = {}) => (
    <FormField
      label={label}
      value={String(draft[field] ?? '')}
      problem={problems[field]}
      onChange={(value) => set({ [field]: value })}
      onBlur={leave(field)}
      {...more}
    />
  );
  return (
    <>
      <div className="al-field">
        <span>{editor.channel}</span>
        <SegmentedControl
          label={editor.channel}
          value={draft.channel}
          options={(['none', 'ntfy', 'mail'] as const).map((value) => ({ value, label: editor.channelKinds[value] }))}
          onChange={(channel) => set({ channel })}
        />
      </div>
      {draft.channel === 'ntfy' && text('url', editor.url, { hint: editor.urlHint })}
      {draft.channel === 'mail' && (
        <>
          <div className="al-fields">
            {text('host', editor.host, { className: 'wide' })}
            {text('port', editor.port)}
          </div>
          <label className="al-check">
            <input type="checkbox" checked={draft.secure} onChange={() => set({ secure: !draft.secure })} />
            {editor.secure}
          </label>
          <div className="al-fields">
            {text('sender', editor.sender)}
            {text('recipient', editor.recipient)}
            {text('user', editor.user)}
          </div>
        </>
      )}
      {draft.channel !== 'none' && (
        <>
          {text('secret', editor.secret[draft.channel], { type: 'password' })}
          <p className="t3">{editor.secretNote}</p>
          {draft.id !== null && <Saved id={draft.id} isAsSaved={isAsSaved} />}
        </>
      )}
    </>
  );
}

/** What can be done only with a rule that is saved. */
function Saved({ id, isAsSaved }: { id: string; isAsSaved: boolean }) {
  const { intents } = useServices();
  const [said, setSaid] = useState('');
  const test = async (): Promise<void> => {
    setSaid(editor.testing);
    const tested = await intents.ask('channel.test', { rule: id });
    setSaid(tested.ok ? editor.tested(tested.value.detail) : tested.error);
  };
  const forget = async (): Promise<void> => {
    const gone = await intents.ask('channel.secret', { rule: id, secret: null });
    setSaid(gone.ok ? editor.secretForgotten : gone.error);
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
        {isAsSaved ? said : editor.testFirst}
      </span>
    </div>
  );
}
