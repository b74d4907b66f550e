// Main, core: applies a profile's state map to a record of the service, before the record is read.
import { stateName } from '../../../shared/domain/states.ts';
import { mappedState, type StateMap } from '../../../shared/settings/state-map.ts';
import { type Fields, isFields, word } from './normalize.ts';

const STATE_FIELDS = ['state_name', 'to_state', 'state', 'from_state', 'worst_state', 'model_state', 'peak_state'];

/** Maps a record, or an event with its `data`; values that the map lacks stay unchanged. */
export function mapStates(value: unknown, map: StateMap | undefined): unknown {
  if (map === undefined || !isFields(value)) return value;
  const mapped = withMappedFields(value, map);
  return isFields(value.data) ? { ...mapped, data: withMappedFields(value.data, map) } : mapped;
}

function withMappedFields(record: Fields, map: StateMap): Fields {
  const mapped: Record<string, unknown> = { ...record };
  for (const name of STATE_FIELDS) {
    const given = word(record[name]);
    const meant = given === null ? null : mappedState(map, given);
    if (meant !== null) mapped[name] = name === 'state_name' ? stateName(meant) : meant;
  }
  return mapped;
}
