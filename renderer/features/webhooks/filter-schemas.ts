// Renderer, webhooks, pure: the schemas of the fields that select events.
import { z } from 'zod';
import { STATES, type State } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { EVENT_NAMES, type EventName } from '../../../shared/wire/events.ts';
import { optionalSymbols } from '../../ui/form/schemas.ts';

const messages = texts.webhooks.targets;

/** null: all of them. */
const someOf = <Value>(all: readonly Value[], message: string) =>
  z
    .custom<readonly Value[]>()
    .refine((chosen) => chosen.length > 0, message)
    .transform((chosen) => (chosen.length === all.length ? null : [...chosen]));

export const eventsSchema = someOf<EventName>(EVENT_NAMES, messages.chooseEvents);
export const statesSchema = someOf<State>(STATES, messages.chooseStates);
export const symbolsSchema = optionalSymbols((wrong) => messages.badSymbols(wrong.join(', ')));
