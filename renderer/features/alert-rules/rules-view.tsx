// Renderer: the rules in order: what each notifies of, and whether it works.
import { useMemo, useRef, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { ruleText } from '../../text/rules.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type TableColumn, TableHead } from '../../ui/table/table-head.tsx';
import { draftOf, isOther, type RuleDraft } from './rule-draft.ts';
import { ruleEdit, useRuleEdit } from './rule-edit.ts';
import { RuleEditor } from './rule-editor.tsx';

type RuleView = Alerting['rules'][number];

const { columns } = ruleText;
const COLUMNS: readonly TableColumn[] = [
  { name: columns.order, className: 'num' },
  { name: columns.on },
  { name: columns.rule },
  { name: columns.conditions, className: 'al-conditions' },
  { name: columns.where },
  { name: columns.status },
  { name: ruleText.edit, isSpoken: true },
];

export function RulesView({ alerting }: { alerting: Alerting }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const names = useMemo(() => new Map(watchlists.map(({ id, name }) => [id, name])), [watchlists]);
  const editing = useRuleEdit();
  const [deleting, setDeleting] = useState<RuleView | null>(null);
  const opener = useRef<HTMLElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<HTMLElement | 'not here'>('not here');
  /** Continues once the user has decided about unsaved edits. */
  const [leaving, setLeaving] = useState<{ readonly then: () => void } | null>(null);
  const leave = (from: Element | null, then: () => void): void => {
    if (editing === null || !isOther(editing.draft, editing.first)) then();
    else {
      opener.current = from instanceof HTMLElement ? from : null;
      setLeaving({ then });
    }
  };
  const edit = (draft: RuleDraft, button: HTMLElement): void =>
    leave(button, () => {
      setOpened(button);
      ruleEdit.open(draft);
    });
  const close = (): void => {
    ruleEdit.close();
    // The row of the button may be gone.
    const back = opened !== 'not here' && opened.isConnected ? opened : add.current;
    // An open dialog returns the focus when it closes.
    opener.current = back;
    back?.focus();
  };
  const isEdited = (ruleView: RuleView): boolean => editing !== null && editing.draft.id === ruleView.id;
  return (
    <div className={editing === null ? 'al-split' : 'al-split with-sidebar'}>
      <section className="panel" aria-label={ruleText.heading}>
        <div className="al-lead">
          <p className="t2">{ruleText.intro}</p>
          <button
            type="button"
            ref={add}
            className={editing === null ? 'btn primary' : 'btn'}
            onClick={(event) => edit({ ...draftOf(DEFAULT_RULE, zone), id: null, name: '' }, event.currentTarget)}
          >
            <Icon name="add" />
            {ruleText.add}
          </button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={ruleText.list}>
          <table className="table al-rules">
            <TableHead columns={COLUMNS} />
            <tbody>
              {alerting.rules.map((ruleView, index) => (
                <RuleRow
                  key={ruleView.id}
                  ruleView={ruleView}
                  position={index + 1}
                  names={names}
                  isEdited={isEdited(ruleView)}
                  onEdit={(rule, button) => edit(draftOf(rule, zone), button)}
                  onDuplicate={(rule, button) =>
                    edit({ ...draftOf(rule, zone), id: null, name: ruleText.copyOf(rule.name) }, button)
                  }
                  onDelete={(button) => {
                    opener.current = button;
                    setDeleting(ruleView);
                  }}
                  onToggle={(rule) => intents.send('rules.save', { rule: { ...rule, enabled: !rule.enabled } })}
                />
              ))}
            </tbody>
          </table>
          {alerting.rules.length === 0 && <p className="empty">{ruleText.none}</p>}
        </section>
      </section>
      {editing !== null && (
        <RuleEditor
          key={editing.turn}
          first={editing.first}
          draft={editing.draft}
          takesFocus={opened !== 'not here'}
          onLeave={() => leave(document.activeElement, close)}
          onClose={close}
        />
      )}
      {leaving !== null && editing !== null && (
        <Confirm
          heading={ruleText.leaveAsk(editing.first.name)}
          message={ruleText.leaveWhy}
          act={ruleText.leaveYes}
          returnTo={opener}
          onYes={leaving.then}
          onClose={() => setLeaving(null)}
        />
      )}
      {deleting !== null && (
        <Dialog
          heading={ruleText.deleteAsk(deleting.rule?.name ?? deleting.id)}
          returnTo={opener}
          onClose={() => setDeleting(null)}
        >
          <p className="t2 al-dialog-text">{ruleText.deleteWhy}</p>
          <div className="dialog-actions">
            <button type="button" className="btn line" onClick={() => setDeleting(null)}>
              {ruleText.editor.cancel}
            </button>
            <button
              type="button"
              className="btn primary"
              onClick={() => {
                intents.send('rules.delete', { id: deleting.id });
                if (isEdited(deleting)) ruleEdit.close();
                // The button is removed with its row.
                opener.current = add.current;
                setDeleting(null);
              }}
            >
              {ruleText.deleteYes}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

interface RuleRowProps {
  readonly ruleView: RuleView;
  /** Position in the order of evaluation, from 1. */
  readonly position: number;
  readonly names: ReadonlyMap<string, string>;
  readonly isEdited: boolean;
  readonly onEdit: (rule: Rule, button: HTMLElement) => void;
  readonly onDuplicate: (rule: Rule, button: HTMLElement) => void;
  readonly onDelete: (button: HTMLElement | null) => void;
  readonly onToggle: (rule: Rule) => void;
}

function RuleRow({ ruleView, position, names, isEdited, onEdit, onDuplicate, onDelete, onToggle }: RuleRowProps) {
  const { rule, problem } = ruleView;
  const more = useRef<HTMLButtonElement>(null);
  const name = rule?.name ?? ruleView.id;
  const isOff = rule !== null && !rule.enabled;
  return (
    <tr className={`${isEdited ? 'is-open' : ''}${problem !== null || isOff ? ' al-off' : ''}`}>
      <td className="num t3">{position}</td>
      <td>
        {rule !== null && (
          <label className="al-switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={rule.enabled}
              checked={rule.enabled}
              aria-label={ruleText.enable(name)}
              onChange={() => onToggle(rule)}
            />
          </label>
        )}
      </td>
      <th scope="row">{name}</th>
      <td className="al-conditions t2">{rule === null ? ruleText.broken : ruleText.conditions(rule, names)}</td>
      <td className="cond t2">{rule === null ? '' : ruleText.channels[rule.channel?.kind ?? 'none']}</td>
      <td className={problem !== null || isOff ? 'al-problem' : 't2'}>
        {problem ?? (isOff ? ruleText.disabled : ruleText.works)}
      </td>
      <td className="al-rule-do">
        {rule !== null && (
          <button
            type="button"
            className="btn quiet"
            aria-label={ruleText.editOf(name)}
            onClick={(event) => onEdit(rule, event.currentTarget)}
          >
            {ruleText.edit}
          </button>
        )}
        {ruleView.id !== 'quiet-hours' && (
          <Menu
            align="end"
            trigger={
              <button type="button" className="btn quiet square" aria-label={ruleText.more(name)} ref={more}>
                <Icon name="more" />
              </button>
            }
          >
            {rule !== null && (
              <MenuItem onSelect={() => more.current && onDuplicate(rule, more.current)}>{ruleText.duplicate}</MenuItem>
            )}
            <MenuItem onSelect={() => onDelete(more.current)}>{ruleText.delete}</MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}
