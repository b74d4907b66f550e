// Renderer, webhooks: the fields that select the events of a subscription or a target.
import type { FieldValues } from 'react-hook-form';
import { z } from 'zod';
import { STATES, type State, stateLabel } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { EVENT_NAMES, type EventName } from '../../../shared/wire/events.ts';
import { type BoundField, ChecksField, TextField } from '../../ui/form/fields.tsx';
import { optionalSymbols } from '../../ui/form/schemas.ts';

const messages = texts.webhooks.targets;

export const EventChecks = <Values extends FieldValues, Output>(
  field: BoundField<Values, readonly EventName[], Output>,
) => (
  <ChecksField
    {...field}
    label={messages.eventsLabel}
    options={EVENT_NAMES.map((value) => ({ value, label: value }))}
  />
);

export const StateChecks = <Values extends FieldValues, Output>(
  field: BoundField<Values, readonly State[], Output>,
) => (
  <ChecksField
    {...field}
    label={messages.statesLabel}
    options={STATES.map((value) => ({ value, label: stateLabel(value) }))}
  />
);

export const SymbolsField = <Values extends FieldValues, Output>(field: BoundField<Values, string | null, Output>) => (
  <TextField {...field} label={messages.symbolsLabel} placeholder="SPY, QQQ" />
);

/** null: all of them. */
const someOf = <Value,>(all: readonly Value[], message: string) =>
  z
    .custom<readonly Value[]>()
    .refine((chosen) => chosen.length > 0, message)
    .transform((chosen) => (chosen.length === all.length ? null : [...chosen]));

export const eventsSchema = someOf<EventName>(EVENT_NAMES, messages.chooseEvents);
export const statesSchema = someOf<State>(STATES, messages.chooseStates);
export const symbolsSchema = optionalSymbols((wrong) => messages.badSymbols(wrong.join(', ')));
