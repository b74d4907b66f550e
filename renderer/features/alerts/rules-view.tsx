// Renderer: the rules in their order: what each tells, and whether it works. One that does not is as plain as blindness.
import { useMemo, useRef, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { DEFAULT_RULE, type Rule } from '../../../shared/domain/alert-rules.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBoard } from '../../store/store.ts';
import { ruleWords } from '../../text/rules.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { draftOf, isOther, type RuleDraft } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import { useView, view } from './view-store.ts';

type Face = Alerting['rules'][number];

export function RulesView({ alerting }: { alerting: Alerting }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const watchlists = useBoard((board) => board.watchlists);
  const names = useMemo(() => new Map(watchlists.map(({ id, name }) => [id, name])), [watchlists]);
  const editing = useView((state) => state.editing);
  const [deleting, setDeleting] = useState<Face | null>(null);
  const opener = useRef<HTMLElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<HTMLElement | 'not here'>('not here');
  /** What is to be done as soon as what was written may be lost. */
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
      view.edit(draft);
    });
  const close = (): void => {
    view.stopEditing();
    // The row of the button may be gone.
    const back = opened !== 'not here' && opened.isConnected ? opened : add.current;
    // Where a dialog asked, it gives the focus back once it is closed.
    opener.current = back;
    back?.focus();
  };
  const isEdited = (face: Face): boolean => editing !== null && editing.draft.id === face.id;
  return (
    <div className={editing === null ? 'al-split' : 'al-split with-aside'}>
      <section className="panel" aria-label={ruleWords.heading}>
        <div className="al-lead">
          <p className="t2">{ruleWords.intro}</p>
          <button
            type="button"
            ref={add}
            className={editing === null ? 'btn primary' : 'btn'}
            onClick={(event) => edit({ ...draftOf(DEFAULT_RULE, zone), id: null, name: '' }, event.currentTarget)}
          >
            <Icon name="add" />
            {ruleWords.add}
          </button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={ruleWords.list}>
          <table className="table al-rules">
            <thead>
              <tr>
                <th scope="col" className="num">
                  {ruleWords.columns.order}
                </th>
                <th scope="col">{ruleWords.columns.on}</th>
                <th scope="col">{ruleWords.columns.rule}</th>
                <th scope="col" className="al-asks">
                  {ruleWords.columns.asks}
                </th>
                <th scope="col">{ruleWords.columns.where}</th>
                <th scope="col">{ruleWords.columns.status}</th>
                <th scope="col">
                  <span className="spoken">{ruleWords.edit}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {alerting.rules.map((face, index) => (
                <RuleRow
                  key={face.id}
                  face={face}
                  place={index + 1}
                  names={names}
                  isEdited={isEdited(face)}
                  onEdit={(rule, button) => edit(draftOf(rule, zone), button)}
                  onDuplicate={(rule, button) =>
                    edit({ ...draftOf(rule, zone), id: null, name: ruleWords.copyOf(rule.name) }, button)
                  }
                  onDelete={(button) => {
                    opener.current = button;
                    setDeleting(face);
                  }}
                  onToggle={(rule) => intents.tell('rules.save', { rule: { ...rule, enabled: !rule.enabled } })}
                />
              ))}
            </tbody>
          </table>
          {alerting.rules.length === 0 && <p className="empty">{ruleWords.none}</p>}
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
          heading={ruleWords.leaveAsk(editing.first.name)}
          words={ruleWords.leaveWhy}
          act={ruleWords.leaveYes}
          returnTo={opener}
          onYes={leaving.then}
          onClose={() => setLeaving(null)}
        />
      )}
      {deleting !== null && (
        <Dialog
          heading={ruleWords.deleteAsk(deleting.rule?.name ?? deleting.id)}
          returnTo={opener}
          onClose={() => setDeleting(null)}
        >
          <p className="t2 al-dialog-words">{ruleWords.deleteWhy}</p>
          <div className="dialog-actions">
            <button type="button" className="btn line" onClick={() => setDeleting(null)}>
              {ruleWords.editor.cancel}
            </button>
            <button
              type="button"
              className="btn primary"
              onClick={() => {
                intents.tell('rules.delete', { id: deleting.id });
                if (isEdited(deleting)) view.stopEditing();
                // Its own button goes with it.
                opener.current = add.current;
                setDeleting(null);
              }}
            >
              {ruleWords.deleteYes}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

interface RuleRowProps {
  readonly face: Face;
  /** In the order in which rules are asked, from 1. */
  readonly place: number;
  readonly names: ReadonlyMap<string, string>;
  readonly isEdited: boolean;
  readonly onEdit: (rule: Rule, button: HTMLElement) => void;
  readonly onDuplicate: (rule: Rule, button: HTMLElement) => void;
  readonly onDelete: (button: HTMLElement | null) => void;
  readonly onToggle: (rule: Rule) => void;
}

function RuleRow({ face, place, names, isEdited, onEdit, onDuplicate, onDelete, onToggle }: RuleRowProps) {
  const { rule, problem } = face;
  const more = useRef<HTMLButtonElement>(null);
  const name = rule?.name ?? face.id;
  const isOff = rule !== null && !rule.enabled;
  return (
    <tr className={`${isEdited ? 'is-open' : ''}${problem !== null || isOff ? ' al-off' : ''}`}>
      <td className="num t3">{place}</td>
      <td>
        {rule !== null && (
          <label className="al-switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={rule.enabled}
              checked={rule.enabled}
              aria-label={ruleWords.enable(name)}
              onChange={() => onToggle(rule)}
            />
          </label>
        )}
      </td>
      <th scope="row">{name}</th>
      <td className="al-asks t2">{rule === null ? ruleWords.broken : ruleWords.asks(rule, names)}</td>
      <td className="cond t2">{rule === null ? '' : ruleWords.outlets[rule.outlet?.kind ?? 'none']}</td>
      <td className={problem !== null || isOff ? 'al-problem' : 't2'}>
        {problem ?? (isOff ? ruleWords.disabled : ruleWords.works)}
      </td>
      <td className="al-rule-do">
        {rule !== null && (
          <button
            type="button"
            className="btn quiet"
            aria-label={ruleWords.editOf(name)}
            onClick={(event) => onEdit(rule, event.currentTarget)}
          >
            {ruleWords.edit}
          </button>
        )}
        {face.id !== 'quiet-hours' && (
          <Menu
            align="end"
            trigger={
              <button type="button" className="btn quiet square" aria-label={ruleWords.more(name)} ref={more}>
                <Icon name="more" />
              </button>
            }
          >
            {rule !== null && (
              <MenuItem onSelect={() => more.current && onDuplicate(rule, more.current)}>
                {ruleWords.duplicate}
              </MenuItem>
            )}
            <MenuItem onSelect={() => onDelete(more.current)}>{ruleWords.delete}</MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}
