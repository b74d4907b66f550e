// Renderer, notification channels: their section of the settings: each channel, the rules that name it, its form.
import { useRef, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { CHANNEL_KINDS } from '../../../shared/settings/notification-channels/channels.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FieldProblem } from '../../ui/form/form.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { type ChannelDraft, channelDraft, newChannelDraft } from './channel-draft.ts';
import { ChannelForm } from './channel-form.tsx';
import { ChannelTest } from './channel-test.tsx';

const messages = texts.notificationChannels;
type ChannelView = Alerting['channels'][number];

export function ChannelsSection() {
  const alerting = useApp((state) => state.features.alerting);
  const add = useRef<HTMLButtonElement>(null);
  /** `turn` counts openings: each begins with a new form. */
  const [editing, setEditing] = useState<{ readonly first: ChannelDraft; readonly turn: number } | null>(null);
  if (alerting === null) return <LoadingNotice what={messages.loading} progress={null} />;
  const { channels } = alerting;
  const open = (first: ChannelDraft): void => setEditing((before) => ({ first, turn: (before?.turn ?? 0) + 1 }));
  return (
    <>
      <p className="t2">{channels.length === 0 ? messages.none : messages.why}</p>
      {channels.length > 0 && <ChannelsTable alerting={alerting} onEdit={(channel) => open(channelDraft(channel))} />}
      <div className="form-row">
        <button ref={add} type="button" className="btn primary" onClick={() => open(newChannelDraft('telegram'))}>
          {messages.add}
        </button>
      </div>
      {editing !== null && (
        <ChannelForm
          key={editing.turn}
          first={editing.first}
          taken={channels.map(({ id }) => id)}
          onClose={() => {
            setEditing(null);
            add.current?.focus();
          }}
        />
      )}
    </>
  );
}

interface ChannelsTableProps {
  readonly alerting: Alerting;
  readonly onEdit: (channel: NonNullable<ChannelView['channel']>) => void;
}

function ChannelsTable({ alerting: { channels, rules }, onEdit }: ChannelsTableProps) {
  const rulesOf = (id: string): string[] =>
    rules.flatMap(({ rule }) => (rule?.channels.includes(id) === true ? [rule.name] : []));
  const columns: readonly Column<ChannelView>[] = [
    { name: messages.columns.name, isRowHead: true, cell: ({ id, channel }) => channel?.name ?? id },
    {
      name: messages.columns.kind,
      cellClass: (view) => (view.channel === null ? 'wraps t2' : 't2'),
      cell: ({ channel, problem }) =>
        channel === null ? (
          <FieldProblem>{problem && textOf(problem)}</FieldProblem>
        ) : (
          CHANNEL_KINDS[channel.destination.kind].name
        ),
    },
    {
      name: messages.columns.rules,
      cellClass: 'wraps t2',
      cell: ({ id }) => (rulesOf(id).length === 0 ? messages.unused : messages.rules(rulesOf(id))),
    },
    {
      name: messages.columns.acts,
      isSpoken: true,
      cellClass: 'wraps',
      cell: (view) => <Actions view={view} rules={rulesOf(view.id).length} onEdit={onEdit} />,
    },
  ];
  return (
    <Table
      label={messages.table}
      className="profiles-table channels-table"
      columns={columns}
      rows={channels}
      keyOf={({ id }) => id}
    />
  );
}

interface ActionsProps {
  readonly view: ChannelView;
  /** Number of rules that name it. */
  readonly rules: number;
  readonly onEdit: ChannelsTableProps['onEdit'];
}

function Actions({ view: { id, channel }, rules, onEdit }: ActionsProps) {
  const { intents } = useServices();
  const button = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  const name = channel?.name ?? id;
  return (
    <span className="row acts">
      {channel !== null && (
        <>
          <ChannelTest id={id} name={name} />
          <button type="button" className="btn line" aria-label={messages.editOf(name)} onClick={() => onEdit(channel)}>
            {messages.edit}
          </button>
        </>
      )}
      <button
        ref={button}
        type="button"
        className="btn line"
        aria-label={messages.removeOf(name)}
        onClick={() => setAsking(true)}
      >
        {messages.remove}
      </button>
      {isAsking && (
        <Confirm
          heading={messages.removeAsk(name)}
          message={messages.removeWhy(rules)}
          act={messages.remove}
          returnTo={button}
          onYes={() => intents.send('channels.delete', { id })}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}
