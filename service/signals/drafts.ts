// Service, signals: builds the event drafts for the log from evaluated states.
import type { Claim } from '../../shared/domain/claims.ts';
import { type State, stateName } from '../../shared/domain/states.ts';
import { signalEvent } from '../../shared/wire/events.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { HeldBy } from '../../shared/wire/records.ts';
import type { Instrument } from '../market/types.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { EventIds } from './event-id.ts';

/** Time (world ms) and ordinal within its millisecond (see `EventIds.of`). */
export interface Occurrence {
  readonly at: number;
  readonly ordinal: number;
}

export interface StateChange {
  readonly from: State;
  readonly to: State;
  readonly regime: string | null;
  readonly confidence: number | null;
  readonly claim: Claim;
  readonly heldBy: HeldBy;
  /** Whether it rests on a price in question, or takes back a state that did; null: neither. */
  readonly inQuestion: 'open' | 'withdrawn' | null;
  readonly note: string;
}

/** Percent with one decimal. */
export const percent = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);

export function transitionDraft(
  ids: EventIds,
  modelVersion: string,
  instrument: Instrument,
  { at, ordinal }: Occurrence,
  change: StateChange,
): EventDraft {
  const event = signalEvent(change.to);
  const event_id = ids.of(at, ordinal, event, instrument.symbol, String(change.from));
  return {
    event_id,
    event,
    timestamp: timestamp(at),
    data: {
      event_id,
      symbol: instrument.symbol,
      asset_class: instrument.assetClass,
      state: change.to,
      from_state: change.from,
      to_state: change.to,
      state_name: stateName(change.to),
      regime: change.regime,
      confidence: percent(change.confidence),
      confidence_of: change.claim,
      held_by: change.heldBy,
      ...(change.inQuestion === null ? {} : { in_question: change.inQuestion }),
      note: change.note,
      occurred_at: timestamp(at),
      model_version: modelVersion,
    },
  };
}

export interface RegimeChange {
  readonly from: string;
  readonly to: string;
  readonly confidence: number | null;
}

export function flipDraft(
  ids: EventIds,
  symbol: string,
  { at, ordinal }: Occurrence,
  change: RegimeChange,
): EventDraft {
  return {
    event_id: ids.of(at, ordinal, 'regime.flip', symbol, change.from, change.to),
    event: 'regime.flip',
    timestamp: timestamp(at),
    data: { symbol, from_regime: change.from, to_regime: change.to, confidence: percent(change.confidence) },
  };
}
