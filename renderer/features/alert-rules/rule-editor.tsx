// Renderer, alert rules: the editor of a rule validates, keeps the draft, saves and back-tests.
import { useEffect, useId, useMemo, useState } from 'react';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSettled } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useApp, useSnapshot } from '../../store/store.ts';

import { Form, FormStatus, markSaved, showInvalid, useSchemaForm } from '../../ui/form/form.tsx';
import { readDraft } from '../../ui/form/schemas.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { BacktestResult, PriceBacktestResult } from './backtest-result.tsx';
import { BreadthStatusNote } from './breadth-fields.tsx';
import { ChannelFields, SoundFields } from './channel-fields.tsx';
import { PriceStatusNote } from './price-fields.tsx';
import { type RuleDraft, ruleOf } from './rule-draft.ts';
import { ruleEdit } from './rule-edit.ts';
import { RuleFields } from './rule-fields.tsx';

const { editor } = texts.rules;

interface RuleEditorProps {
  /** The draft as opened or last saved. */
  readonly first: RuleDraft;
  /** The draft as typed. It outlives this editor, so that a visit to another page loses nothing. */
  readonly draft: RuleDraft;
  readonly takesFocus: boolean;
  /** Closes it; asks first if edits are unsaved. */
  readonly onLeave: () => void;
  /** Closes it without asking. */
  readonly onClose: () => void;
}

export function RuleEditor({ first, draft, takesFocus, onLeave, onClose }: RuleEditorProps) {
  const { intents } = useServices();
  const heading = useId();
  const [isTesting, setTesting] = useState(false);
  const { schema, made } = useRuleSchema(draft);
  const form = useSchemaForm(schema, { mode: 'onTouched', defaultValues: draft });
  const { setFocus, subscribe } = form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => ruleEdit.write(values) }),
    [subscribe],
  );
  useEffect(() => {
    if (!takesFocus) return;
    setFocus(firstField(first));
    ruleEdit.focused();
  }, [takesFocus, first, setFocus]);
  useShortcuts('everywhere', { close: onLeave });
  const save = async (rule: Rule) => {
    const answer = await intents.ask('rules.save', { rule });
    if (!answer.ok) return answer;
    form.setValue('id', rule.id);
    markSaved(form);
    ruleEdit.saved(form.getValues());
    return answer;
  };
  const invalid = showInvalid(form, editor.invalidFields);
  const runBacktest = (): Promise<void> => {
    // A back-test does not depend on the name, so a rule without one can be tested.
    if (form.getValues('name').trim() === '') form.setValue('name', editor.newRule, { shouldValidate: true });
    return form.handleSubmit(() => setTesting(true), invalid)();
  };
  return (
    <aside className="panel al-editor" aria-labelledby={heading}>
      <PanelHead
        id={heading}
        heading={first.id === null ? editor.newRule : editor.editing(first.name)}
        onClose={onLeave}
      />
      <Form form={form} className="form-frame" onSubmit={save} onInvalid={invalid}>
        <div className="scroll al-form">
          <RuleFields />
          {draft.kind === 'price' && <PriceStatusNote rule={made.ok ? made.value : null} />}
          {draft.kind === 'breadth' && <BreadthStatusNote rule={made.ok ? made.value : null} />}
          <SoundFields />
          <ChannelFields />
        </div>
        {isTesting && <Backtest rule={made.ok ? made.value : null} />}
        <div className="al-why-do">
          <button type="submit" className="btn primary">
            {editor.save}
          </button>
          <button type="button" className="btn" onClick={() => void runBacktest()}>
            {editor.try}
          </button>
          <FormStatus control={form.control} saved={editor.saved} />
          <button type="button" className="btn quiet" onClick={onClose}>
            {editor.cancel}
          </button>
        </div>
      </Form>
    </aside>
  );
}

/** The price where that is all that is missing. */
const firstField = ({ kind, condition, level }: RuleDraft): 'level' | 'name' =>
  kind === 'price' && condition !== 'up' && condition !== 'down' && level === '' ? 'level' : 'name';

/** The draft must be unchanged for this long before it is tested again, ms. */
const TEST_SETTLE_MS = 400;

/** The back-test of the draft. @param rule null: a field is invalid */
function Backtest({ rule }: { rule: Rule | null }) {
  const key = JSON.stringify(rule);
  const isSettled = useSettled(key, TEST_SETTLE_MS);
  const [tested, setTested] = useState(rule);
  if (isSettled && JSON.stringify(tested) !== key) setTested(rule);
  return (
    <div className="al-test">
      {rule === null || tested === null ? (
        <p className="al-sentence t2">{texts.rules.backtest.invalid}</p>
      ) : (
        <TestResult rule={tested} />
      )}
    </div>
  );
}

const TestResult = ({ rule }: { rule: Rule }) =>
  rule.price === null ? <BacktestResult rule={rule} /> : <PriceBacktestResult rule={rule} />;

/** Validates the draft against world time, watchlists and the other rules. */
function useRuleSchema(draft: RuleDraft) {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const rules = useApp((state) => state.features.alerting?.rules);
  const now = useWorldMinute();
  const saved = rules?.find(({ id }) => id === draft.id)?.rule ?? null;
  const context = useMemo(
    () => ({ now, lists: watchlists.map(({ id }) => id), taken: rules?.map(({ id }) => id) ?? [], saved }),
    [now, watchlists, rules, saved],
  );
  const schema = useMemo(() => readDraft<RuleDraft, Rule>((typed) => ruleOf(typed, context)), [context]);
  const made = ruleOf(draft, context);
  return { schema, made };
}
