// Renderer, webhooks: the targets to which this computer forwards events.
import { useState } from 'react';
import { z } from 'zod';
import type { Target } from '../../../shared/channels/relay.ts';
import { STATES } from '../../../shared/domain/states.ts';
import { count, DASH, preciseTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { addressSchema, withoutField } from './address.ts';
import { StatusCell } from './deliveries-table.tsx';
import { EventChecks, eventsSchema, StateChecks, SymbolsField, statesSchema, symbolsSchema } from './filter-fields.tsx';
import { SecretOnce } from './secret-once.tsx';
import { filterLabel, targetStatus } from './status.ts';

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

interface TargetDialogProps {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

const targetSchema = z.object({
  url: addressSchema('http://127.0.0.1:8099/hook'),
  filter: z.object({ events: eventsSchema, states: statesSchema, symbols: symbolsSchema }),
  secret: z.string().transform((text) => (text === '' ? null : text)),
  allow_public: z.boolean(),
});

/** The dialog that adds a target, then shows its secret once. */
export function TargetDialog({ onAdded, onClose }: TargetDialogProps) {
  const { intents } = useServices();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const form = useSchemaForm(targetSchema, {
    defaultValues: {
      url: 'http://127.0.0.1:',
      filter: { events: EVENT_NAMES, states: STATES, symbols: '' },
      secret: '',
      allow_public: false,
    },
  });
  const { control } = form;
  const add = async (target: z.output<typeof targetSchema>) => {
    const answer = await intents.ask('relay.target.add', target);
    if (!answer.ok) return withoutField(answer.error);
    setMade(answer.value);
    return answer;
  };
  if (made !== null)
    return (
      <SecretOnce
        heading={texts.webhooks.targets.secretHeading}
        secret={made.secret}
        onClose={() => {
          onAdded(made.id);
          onClose();
        }}
      />
    );
  return (
    <Dialog heading={texts.webhooks.targets.addHeading} className="hook-dialog" onClose={onClose}>
      <Form form={form} onSubmit={add} refusalAt="url">
        <TextField control={control} name="url" label={texts.webhooks.targets.addressLabel} />
        <EventChecks control={control} name="filter.events" />
        <StateChecks control={control} name="filter.states" />
        <SymbolsField control={control} name="filter.symbols" />
        <TextField control={control} name="secret" label={texts.webhooks.targets.secretLabel} type="password" />
        <CheckField control={control} name="allow_public">
          {texts.webhooks.targets.publicLabel}
        </CheckField>
        <DialogActions cancel={texts.webhooks.cancel} submit={texts.webhooks.targets.add} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
