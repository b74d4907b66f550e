// Renderer: the list of rules in their order, each with its conditions and status.

import { useRef, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { draftOf } from './rule-draft.ts';
import { newRuleDraft, ruleEdit } from './rule-edit.ts';
import { RuleEditor } from './rule-editor.tsx';
import { SharingMenu, TemplateMenu } from './rule-sharing.tsx';
import { RulesTable, type RuleView } from './rules-table.tsx';
import { useRuleEditor } from './use-rule-editor.ts';

export function RulesView({ alerting }: { alerting: Alerting }) {
  const { rules } = alerting;
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const [deleting, setDeleting] = useState<RuleView | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  /** Gets the focus after a deletion: the button is removed with its row. */
  const deleted = useRef<HTMLElement>(null);
  const editor = useRuleEditor(add);
  const { editing, question } = editor;
  return (
    <div className={editing === null ? 'al-split' : 'al-split with-sidebar'}>
      <section className="panel" aria-label={texts.rules.heading}>
        <div className="al-lead">
          <p className="t2">{texts.rules.intro}</p>
          <SharingMenu alerting={alerting} />
          <TemplateMenu alerting={alerting} onOpen={editor.open} />
          <button
            type="button"
            ref={add}
            className={editing === null ? 'btn primary' : 'btn'}
            onClick={(event) => editor.open(newRuleDraft(zone), event.currentTarget)}
          >
            <Icon name="add" />
            {texts.rules.add}
          </button>
        </div>
        <ScrollRegion label={texts.rules.list}>
          <RulesTable
            rules={rules}
            edited={editing?.draft.id ?? null}
            onEdit={(rule, button) => editor.open(draftOf(rule, zone), button)}
            onDuplicate={(rule, button) =>
              editor.open({ ...draftOf(rule, zone), id: null, name: texts.rules.copyOf(rule.name) }, button)
            }
            onDelete={(rule) => {
              deleted.current = null;
              setDeleting(rule);
            }}
          />
          {rules.length === 0 && <p className="empty">{texts.rules.none}</p>}
        </ScrollRegion>
      </section>
      {editing !== null && (
        <RuleEditor
          key={editing.turn}
          first={editing.first}
          draft={editing.draft}
          takesFocus={editing.takesFocus}
          onLeave={editor.leave}
          onClose={editor.close}
        />
      )}
      {editing !== null && question !== null && (
        <Confirm
          heading={texts.rules.leaveAsk(editing.first.name)}
          message={texts.rules.leaveWhy}
          act={texts.rules.leaveYes}
          {...question}
        />
      )}
      {deleting !== null && (
        <Confirm
          heading={texts.rules.deleteAsk(deleting.rule?.name ?? deleting.id)}
          message={texts.rules.deleteWhy}
          act={texts.rules.deleteYes}
          returnTo={deleted}
          onYes={() => {
            intents.send('rules.delete', { id: deleting.id });
            if (editing?.draft.id === deleting.id) ruleEdit.close();
            deleted.current = add.current;
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </div>
  );
}
