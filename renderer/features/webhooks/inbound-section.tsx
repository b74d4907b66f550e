// Renderer, webhooks: the address for alerts of other programs: who may send, how a body is read, which rules choose.

import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { FOREIGN_EVENT } from '../../../shared/settings/core-events.ts';
import {
  type ForeignMapping,
  ForeignMappingSchema,
  MAPPED_FIELDS,
  readForeign,
  tradingViewExample,
} from '../../../shared/settings/foreign-alerts.ts';
import { DASH, shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, SaveRow, type SchemaControl, useSchemaForm } from '../../ui/form/form.tsx';
import { copyText } from '../../ui/text-dialog.tsx';
import { openForeignRule } from '../alert-rules/index.ts';
import { PublicAddressForm, RevealAddress } from './relay-address.tsx';

const { inbound } = texts.webhooks;
const NO_RULES: readonly {
  readonly rule: { readonly name: string; readonly enabled: boolean; readonly events: readonly string[] } | null;
}[] = [];

interface InboundProps {
  readonly relay: RelayView;
  readonly onSaid: (text: string) => void;
}

export function InboundSection({ relay, onSaid }: InboundProps) {
  const { mapping, last_at } = relay.inbound;
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const example = tradingViewExample(mapping, inbound.exampleText);
  const copy = async (): Promise<void> =>
    onSaid((await copyText(example)) ? texts.common.text.copied : texts.common.text.copyByHand);
  return (
    <section aria-label={inbound.heading}>
      <h3 className="sheet-group">{inbound.heading}</h3>
      <p className="sheet-empty">{inbound.what}</p>
      <DescriptionList narrow>
        <DescriptionItem name={inbound.address}>
          <InboundAddress relay={relay} onSaid={onSaid} />
        </DescriptionItem>
        <DescriptionItem name={inbound.reach}>
          <p>{inbound.tunnel}</p>
          {relay.reachable && <PublicAddressForm relay={relay} why={inbound.publicWhy} />}
        </DescriptionItem>
        <DescriptionItem name={inbound.rules}>
          <ChoosingRules />
        </DescriptionItem>
        <DescriptionItem name={inbound.last}>
          {last_at === null ? inbound.none : shortTimestamp(Date.parse(last_at), zone, now)}
        </DescriptionItem>
        <DescriptionItem name={inbound.tradingView}>
          <p>{inbound.tradingViewHow}</p>
          <pre className="bytes">
            <code>{example}</code>
          </pre>
          <button type="button" className="btn line" onClick={() => void copy()}>
            {inbound.copyExample}
          </button>
        </DescriptionItem>
      </DescriptionList>
      <MappingForm mapping={mapping} lastAt={last_at} />
    </section>
  );
}

function InboundAddress({ relay: { listening }, onSaid }: InboundProps) {
  const { intents } = useServices();
  const [isConfirming, setConfirming] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const test = async (): Promise<void> => {
    if (isTesting) return;
    setTesting(true);
    const answer = await intents.ask('relay.inbound.test', {});
    setTesting(false);
    onSaid(answer.ok ? textOf(answer.value.message) : answer.error);
  };
  const rotate = async (): Promise<void> => {
    const answer = await intents.ask('relay.inbound.rotate', {});
    onSaid(answer.ok ? inbound.rotated : answer.error);
  };
  if (listening === null) return <>{inbound.notListening}</>;
  return (
    <>
      <span className="mono">
        {listening.address}/alert/{'\u2026'}
      </span>
      <div className="row inbound-do">
        <RevealAddress channel="relay.inbound.reveal" label={inbound.reveal} onSaid={onSaid} />
        <button type="button" className="btn line" aria-disabled={isTesting} onClick={() => void test()}>
          {isTesting ? texts.webhooks.testing : inbound.test}
        </button>
        <button type="button" className="btn quiet" onClick={() => setConfirming(true)}>
          {inbound.rotate}
        </button>
      </div>
      {isConfirming && (
        <Confirm
          heading={inbound.rotateHeading}
          message={inbound.rotateText}
          act={inbound.rotate}
          onYes={() => void rotate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}

/** The rules that choose these alerts; without one they are listed and never notified. */
function ChoosingRules() {
  const zone = usePreference((preference) => preference.zone);
  const rules = useApp((state) => state.features.alerting?.rules ?? NO_RULES);
  const names = rules.flatMap(({ rule }) => (rule?.enabled && rule.events.includes(FOREIGN_EVENT) ? [rule.name] : []));
  if (names.length > 0) return <>{names.join(', ')}</>;
  return (
    <>
      <p className="md">{inbound.noRule}</p>
      <button type="button" className="btn line" onClick={() => openForeignRule(zone)}>
        {inbound.addRule}
      </button>
    </>
  );
}

const words = (text: string): string[] => text.split(',').flatMap((word) => word.trim().toLowerCase() || []);
const { shape } = ForeignMappingSchema;
const wordsSchema = z.string().transform(words).pipe(shape.normal);
const mappingSchema = ForeignMappingSchema.extend({ normal: wordsSchema, elevated: wordsSchema });
type MappingDraft = z.input<typeof mappingSchema>;
const draftOf = (mapping: ForeignMapping): MappingDraft => ({
  ...mapping,
  normal: mapping.normal.join(', '),
  elevated: mapping.elevated.join(', '),
});

function MappingForm({ mapping, lastAt }: { readonly mapping: ForeignMapping; readonly lastAt: string | null }) {
  const { intents } = useServices();
  const form = useSchemaForm(mappingSchema, { defaultValues: draftOf(mapping) });
  const { control } = form;
  const save = async (values: ForeignMapping) => {
    const answer = await intents.ask('relay.inbound.mapping', values);
    if (answer.ok) form.reset(draftOf(values));
    return answer;
  };
  return (
    <Form form={form} className="inline-form inbound-form" label={inbound.mapping} onSubmit={save}>
      <h3 className="sheet-group">{inbound.mapping}</h3>
      <p className="t2">{inbound.mappingHow}</p>
      <div className="inbound-fields">
        {MAPPED_FIELDS.map((name) => (
          <TextField key={name} control={control} name={name} label={inbound.fields[name]} />
        ))}
        <TextField control={control} name="normal" label={inbound.fields.normal} />
        <TextField control={control} name="elevated" label={inbound.fields.elevated} />
      </div>
      <SaveRow control={control} save={inbound.save} saved={inbound.saved} buttonClass="btn line" />
      <Preview control={control} lastAt={lastAt} />
    </Form>
  );
}

interface PreviewProps {
  readonly control: SchemaControl<MappingDraft, ForeignMapping>;
  readonly lastAt: string | null;
}

/** What the typed mapping makes of the last body. */
function Preview({ control, lastAt }: PreviewProps) {
  const draft = useWatch({ control });
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const { data } = useChannelQuery('relay.inbound.last', lastAt === null ? null : {}, { version: lastAt ?? '' });
  const body = data?.body ?? null;
  const mapping = mappingSchema.safeParse(draft);
  if (body === null || lastAt === null) return <p className="t2">{inbound.noPreview}</p>;
  if (!mapping.success) return null;
  const { alert, symbol, at, id } = readForeign(body, mapping.data, Date.parse(lastAt));
  return (
    <section aria-label={inbound.preview}>
      <h3 className="sheet-group">{inbound.preview}</h3>
      <pre className="bytes answer">{body.slice(0, 2_000)}</pre>
      <DescriptionList narrow>
        <DescriptionItem name={inbound.fields.symbol}>{symbol ?? DASH}</DescriptionItem>
        <DescriptionItem name={inbound.fields.title}>{texts.foreign.title(alert)}</DescriptionItem>
        <DescriptionItem name={inbound.fields.text}>
          <span className="foreign-text">{alert.text || DASH}</span>
        </DescriptionItem>
        <DescriptionItem name={inbound.fields.severity}>{stateLabel(alert.severity)}</DescriptionItem>
        <DescriptionItem name={inbound.fields.time}>{shortTimestamp(at, zone, now)}</DescriptionItem>
        <DescriptionItem name={inbound.fields.id}>{id ?? DASH}</DescriptionItem>
        {alert.problems.length > 0 && (
          <DescriptionItem name={inbound.problems}>{texts.foreign.problems(alert).join(' ')}</DescriptionItem>
        )}
      </DescriptionList>
    </section>
  );
}
