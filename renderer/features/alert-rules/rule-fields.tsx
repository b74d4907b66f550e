// Renderer, alert rules: the fields that select events and times.
import { useFormContext, useWatch } from 'react-hook-form';
import type { Profiles } from '../../../shared/channels/profiles.ts';
import { ASSET_CLASSES } from '../../../shared/domain/instruments.ts';
import { REGIMES, regimeLabel } from '../../../shared/domain/regimes.ts';
import { STATES, stateLabel } from '../../../shared/domain/states.ts';
import { CHOSEN_EVENTS, type RuleEvent } from '../../../shared/settings/alert-rules.ts';
import { zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { useInstruments } from '../../queries/instruments.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { ChecksField, SegmentedField, TextField } from '../../ui/form/fields.tsx';
import { symbolsIn } from '../../ui/form/schemas.ts';
import { BreadthFields } from './breadth-fields.tsx';
import { DueFields } from './due-fields.tsx';
import { HoursFields } from './hours-fields.tsx';
import { PriceFields } from './price-fields.tsx';
import type { RuleDraft } from './rule-draft.ts';

const { editor, events } = texts.rules;
const { fields } = texts.priceRules;

export function RuleFields() {
  const { control } = useFormContext<RuleDraft>();
  const kind = useWatch({ control, name: 'kind' });
  const isEvents = kind === 'events';
  return (
    <>
      <TextField control={control} name="name" label={editor.name} />
      <SegmentedField
        control={control}
        name="kind"
        label={fields.what}
        options={(['events', 'price', 'breadth'] as const).map((value) => ({ value, label: fields.kinds[value] }))}
      />
      {kind === 'price' && <PriceFields />}
      {kind === 'breadth' && <BreadthFields />}
      {isEvents && (
        <ChecksField
          control={control}
          name="events"
          label={editor.events}
          options={CHOSEN_EVENTS.map((value: RuleEvent) => ({ value, label: events[value] }))}
        />
      )}
      {kind !== 'breadth' && <ScopeFields />}
      <ProfilesField />
      {kind !== 'breadth' && <ExceptionFields />}
      {isEvents && <SignalFields />}
      <DueFields />
      <SegmentedField
        control={control}
        name="hours.kind"
        label={editor.hours}
        options={(['always', 'session', 'daily'] as const).map((value) => ({ value, label: editor.hourKinds[value] }))}
      />
      <HoursFields />
      {isEvents && (
        <div className="al-fields">
          <TextField control={control} name="holdUp" label={editor.holdUp} />
          <TextField control={control} name="holdDown" label={editor.holdDown} />
        </div>
      )}
      <EndField />
    </>
  );
}

function ExceptionFields() {
  const { control } = useFormContext<RuleDraft>();
  return (
    <>
      <TextField control={control} name="except" label={editor.except} placeholder={editor.exceptHint} />
      <ChecksField
        control={control}
        name="classes"
        label={editor.classes}
        options={ASSET_CLASSES.map((value) => ({ value, label: editor.classNames[value] }))}
      />
    </>
  );
}

/** Fields for conditions that only a signal has. */
function SignalFields() {
  const { control } = useFormContext<RuleDraft>();
  const regimes = useWatch({ control, name: 'regimes' });
  return (
    <>
      <SegmentedField
        control={control}
        name="minState"
        label={editor.minState}
        options={STATES.map((value) => ({ value, label: stateLabel(value) }))}
      />
      <TextField control={control} name="confidence" label={editor.confidence} placeholder={editor.confidenceUnit} />
      <ChecksField
        control={control}
        name="regimes"
        label={editor.regimes}
        options={[...new Set([...REGIMES, ...regimes])].map((value) => ({ value, label: regimeLabel(value) }))}
      />
    </>
  );
}

function ScopeFields() {
  const { control } = useFormContext<RuleDraft>();
  const [scope, lists] = useWatch({ control, name: ['scope', 'lists'] });
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const gone = lists.filter((id) => !watchlists.some((list) => list.id === id));
  return (
    <>
      <SegmentedField
        control={control}
        name="scope"
        label={editor.scope}
        options={(['watched', 'lists', 'symbols', 'all'] as const).map((value) => ({
          value,
          label: editor.scopes[value],
        }))}
      />
      {scope === 'lists' && (
        <ChecksField
          control={control}
          name="lists"
          label={editor.lists}
          options={[
            ...watchlists.map(({ id, name }) => ({ value: id, label: name })),
            ...gone.map((id) => ({ value: id, label: editor.listGone(id) })),
          ]}
        />
      )}
      {scope === 'symbols' && (
        <>
          <TextField control={control} name="symbols" label={editor.symbols} rows={2} />
          <Uncovered />
        </>
      )}
    </>
  );
}

/** Draws nothing where there is one profile and the rule is not limited to profiles. */
function ProfilesField() {
  const { control } = useFormContext<RuleDraft>();
  const chosen = useWatch({ control, name: 'profiles' });
  const profiles = useApp(({ features }) => features.profiles?.profiles ?? NO_PROFILES);
  const gone = chosen.filter((name) => !profiles.some((profile) => profile.name === name));
  const options = [
    ...profiles.map(({ name }) => ({ value: name, label: name })),
    ...gone.map((name) => ({ value: name, label: editor.profileGone(name) })),
  ];
  if (profiles.length < 2 && chosen.length === 0) return null;
  return <ChecksField control={control} name="profiles" label={editor.profiles} options={options} />;
}
const NO_PROFILES: Profiles['profiles'] = [];

/** Names symbols that the service has no signal for: they may be misspelt, and the rule would never match. */
function Uncovered() {
  const { control } = useFormContext<RuleDraft>();
  const { isCovered } = useInstruments();
  const uncovered = symbolsIn(useWatch({ control, name: 'symbols' })).good.filter(
    (symbol) => isCovered(symbol) === false,
  );
  return (
    <p className="t2" role="status">
      {uncovered.length > 0 && editor.uncovered(uncovered)}
    </p>
  );
}

function EndField() {
  const { control, setValue } = useFormContext<RuleDraft>();
  const present = usePreference((preference) => preference.zone);
  const [ends, endsZone] = useWatch({ control, name: ['ends', 'endsZone'] });
  // A timestamp keeps the zone in which it was typed.
  const zone = ends.trim() === '' ? present : endsZone;
  return (
    <TextField
      control={control}
      name="ends"
      label={editor.ends(zoneName(zone))}
      placeholder={TIMESTAMP_FORMAT}
      onEdit={() => setValue('endsZone', zone)}
    />
  );
}
