// Renderer, alert rules: the table of the rules in the order of evaluation, with their buttons.

import { useMemo, useRef } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { channelsNamedBy, type Rule } from '../../../shared/settings/alert-rules.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IconButton } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { useBreadthStatus } from './breadth-fields.tsx';
import { usePriceStatus } from './price-fields.tsx';

export type RuleView = Alerting['rules'][number];

interface RuleActs {
  readonly onEdit: (rule: Rule, button: HTMLElement) => void;
  readonly onDuplicate: (rule: Rule, button: HTMLElement) => void;
  readonly onDelete: (ruleView: RuleView) => void;
}

interface RulesTableProps extends RuleActs {
  readonly rules: readonly RuleView[];
  /** The id of the rule in the editor. */
  readonly edited: string | null;
}

const { columns } = texts.rules;

export function RulesTable({ rules, edited, ...acts }: RulesTableProps) {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const names = useMemo(() => new Map(watchlists.map(({ id, name }) => [id, name])), [watchlists]);
  const channels = useApp(({ features }) => features.alerting?.channels);
  const channelName = (id: string): string => channels?.find((view) => view.id === id)?.channel?.name ?? id;
  const tableColumns: readonly Column<RuleView>[] = [
    { name: columns.order, className: 'num', cellClass: 't3', cell: (view) => rules.indexOf(view) + 1 },
    { name: columns.on, cell: ({ rule }) => rule && <RuleSwitch rule={rule} /> },
    { name: columns.rule, isRowHead: true, cell: nameOf },
    {
      name: columns.conditions,
      className: 'al-conditions',
      cellClass: 't2',
      cell: ({ rule }) => (rule === null ? texts.rules.broken : texts.rules.conditions(rule, names)),
    },
    {
      name: columns.where,
      cellClass: 'cond t2',
      cell: ({ rule }) => (rule === null ? '' : texts.rules.where(channelsNamedBy(rule).map(channelName))),
    },
    {
      name: columns.status,
      cellClass: (view) => (isOff(view) ? 'al-problem' : 't2'),
      cell: (view) => <Status view={view} />,
    },
    {
      name: texts.rules.edit,
      isSpoken: true,
      cellClass: 'al-rule-do',
      cell: (view) => <RuleButtons ruleView={view} {...acts} />,
    },
  ];
  return (
    <Table
      className="al-rules"
      columns={tableColumns}
      rows={rules}
      keyOf={({ id }) => id}
      rowClass={(view) => `${view.id === edited ? 'is-open' : ''}${isOff(view) ? ' al-off' : ''}`}
    />
  );
}

/**
 * The status of a rule. For a rule on prices it says which prices are old, and which meet the condition
 * already; for one on a share, the share now.
 */
function Status({ view }: { view: RuleView }) {
  const rule = isOff(view) ? null : view.rule;
  const [first] = usePriceStatus(rule);
  const share = useBreadthStatus(rule);
  return optionalText(view.problem) || (isOff(view) ? texts.rules.disabled : (first ?? share ?? texts.rules.works));
}

const nameOf = ({ rule, id }: RuleView): string => rule?.name ?? id;
/** Switched off, or not working. */
const isOff = ({ rule, problem }: RuleView): boolean => problem !== null || rule?.enabled === false;

function RuleSwitch({ rule }: { rule: Rule }) {
  const { intents } = useServices();
  return (
    <label className="al-switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={rule.enabled}
        checked={rule.enabled}
        aria-label={texts.rules.enable(rule.name)}
        onChange={() => intents.send('rules.save', { rule: { ...rule, enabled: !rule.enabled } })}
      />
    </label>
  );
}

function RuleButtons({ ruleView, onEdit, onDuplicate, onDelete }: RuleActs & { readonly ruleView: RuleView }) {
  const { rule, id } = ruleView;
  const name = nameOf(ruleView);
  const more = useRef<HTMLButtonElement>(null);
  return (
    <>
      {rule !== null && (
        <button
          type="button"
          className="btn quiet"
          aria-label={texts.rules.editOf(name)}
          onClick={(event) => onEdit(rule, event.currentTarget)}
        >
          {texts.rules.edit}
        </button>
      )}
      {id !== 'quiet-hours' && (
        <Menu align="end" trigger={<IconButton icon="more" label={texts.rules.more(name)} ref={more} />}>
          {rule !== null && (
            <MenuItem onSelect={() => more.current && onDuplicate(rule, more.current)}>
              {texts.rules.duplicate}
            </MenuItem>
          )}
          <MenuItem onSelect={() => onDelete(ruleView)}>{texts.rules.delete}</MenuItem>
        </Menu>
      )}
    </>
  );
}
