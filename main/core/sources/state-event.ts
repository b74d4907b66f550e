// Main, core: makes the transition into a state from a signal, where no event of it was read. Pure.
import type { RowSignal } from '../../../shared/channels/state.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';

/**
 * The transition into the state of a signal, before its event is read, or where the service's log no longer has
 * it. Its id is the same for every poll. The event itself repeats it (docs/contract.md, "Identity").
 */
export function stateEvent(signal: RowSignal, now: number): ReceivedEvent {
  const { symbol, state, since } = signal;
  // An impossible date identifies the state too: recording replaces it, and the event finds it by what it states.
  const occurredAt = since === null ? now : Date.parse(since);
  const eventId = `state:${symbol}:${state}:${Math.floor(occurredAt / 1000)}`;
  return {
    eventId,
    seq: null,
    event: signalEvent(state),
    occurredAt,
    symbol,
    transition: {
      event_id: eventId,
      symbol,
      asset_class: signal.asset_class ?? 'equity',
      from_state: 1,
      to_state: state,
      state_name: signal.state_name,
      ...(signal.state_word === undefined ? {} : { state_word: signal.state_word }),
      regime: signal.regime,
      confidence: signal.confidence,
      ...(signal.confidence_of === undefined ? {} : { confidence_of: signal.confidence_of }),
      note: signal.note,
      occurred_at: timestamp(occurredAt),
      model_version: signal.model_version,
    },
    attributes: null,
    body: JSON.stringify(signal),
    assumptions: ['id', 'from', 'state', ...(since === null ? (['time'] as const) : [])],
  };
}

/** The same for a state that is old enough for its event to have come. */
export function listedState(signal: RowSignal, now: number): ReceivedEvent {
  const event = stateEvent(signal, now);
  return { ...event, assumptions: [...event.assumptions, 'listed'] };
}
