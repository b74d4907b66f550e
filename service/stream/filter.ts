// Service, stream: selects the events of a reader's query.
import { type EventEnvelope, isSignalEvent, signalEvent } from '../../shared/wire/events.ts';
import type { StreamQuery } from '../../shared/wire/routes/events.ts';
import { listOrNull, symbolsOf } from '../list-filters.ts';

export type EventFilter = (envelope: EventEnvelope) => boolean;

const setOrNull = <Item>(list: readonly Item[] | undefined): ReadonlySet<Item> | null => {
  const given = listOrNull(list);
  return given === null ? null : new Set(given);
};

/** Without `events` a stream carries signal.* and regime.flip. */
export function eventFilter(query: StreamQuery): EventFilter {
  const symbols = setOrNull(symbolsOf(query) ?? undefined);
  const events = setOrNull(query.events);
  const severities = setOrNull(query.severity);
  const regimes = setOrNull<string>(query.regime);

  const named = (envelope: EventEnvelope): boolean => {
    // An alias matches the filter of the event of its state.
    const name = envelope.event === 'signal.created' ? signalEvent(envelope.data.state) : envelope.event;
    return events === null ? name.startsWith('signal.') || name === 'regime.flip' : events.has(name);
  };
  const severe = (envelope: EventEnvelope): boolean => {
    if (severities === null) return true;
    if (isSignalEvent(envelope)) return severities.has(envelope.data.to_state);
    return envelope.event !== 'signal.created' || severities.has(envelope.data.state);
  };
  const inRegime = (envelope: EventEnvelope): boolean => {
    if (regimes === null) return true;
    if (isSignalEvent(envelope) || envelope.event === 'signal.created')
      return typeof envelope.data.regime === 'string' && regimes.has(envelope.data.regime);
    if (envelope.event === 'regime.flip')
      return regimes.has(envelope.data.from_regime) || regimes.has(envelope.data.to_regime);
    return true;
  };
  return (envelope) => {
    if (symbols !== null && 'symbol' in envelope.data && !symbols.has(envelope.data.symbol)) return false;
    return named(envelope) && severe(envelope) && inRegime(envelope);
  };
}
