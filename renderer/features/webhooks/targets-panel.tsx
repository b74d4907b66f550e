// Renderer, webhooks: the targets to which this computer forwards events.
import { useState } from 'react';
import type { Target } from '../../../shared/channels/relay.ts';
import { count, DASH, preciseTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { filterLabel, targetStatus } from './status.ts';
import { StatusCell } from './status-cell.tsx';
import { TargetDialog } from './target-dialog.tsx';

interface TargetsPanelProps {
  readonly targets: readonly Target[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function TargetsPanel({ targets, chosen, onChoose }: TargetsPanelProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const [adding, setAdding] = useState(false);
  const columns: readonly Column<Target>[] = [
    { name: texts.webhooks.targets.url, cell: ({ url }) => <span className="mono">{url}</span> },
    { name: texts.webhooks.targets.filter, cellClass: 'cond t2', cell: ({ filter }) => filterLabel(filter) },
    { name: texts.webhooks.targets.queue, className: 'num', cellClass: 'cond', cell: ({ queue }) => count(queue) },
    {
      name: texts.webhooks.targets.last,
      className: 'wide',
      cellClass: 'cond t2',
      cell: ({ last }) => (last === null ? DASH : preciseTime(Date.parse(last.at), zone, now)),
    },
    {
      name: texts.webhooks.targets.status,
      className: 'last',
      cellClass: 'fill',
      cellTitle: (target) => targetStatus(target, now).text,
      cell: (target) => <StatusCell {...targetStatus(target, now)} />,
    },
  ];
  return (
    <section className="targets" aria-label={texts.webhooks.targets.heading}>
      <div className="head block-head">
        <h2>{texts.webhooks.targets.heading}</h2>
        <span className="sub grow ell">{texts.webhooks.targets.sub}</span>
        <button type="button" className="btn quiet" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {texts.webhooks.targets.add}
        </button>
      </div>
      {adding && <TargetDialog onClose={() => setAdding(false)} onAdded={onChoose} />}
      {targets.length === 0 ? (
        <p className="sheet-empty">{texts.webhooks.targets.none}</p>
      ) : (
        <div className="targets-scroll">
          <Table
            label={texts.webhooks.targets.heading}
            className="hooks"
            columns={columns}
            rows={targets}
            keyOf={({ id }) => id}
            choice={{ isChosen: ({ id }) => id === chosen, onChoose: ({ id }) => onChoose(id) }}
          />
        </div>
      )}
    </section>
  );
}
