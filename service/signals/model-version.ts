// Service, signals: the model version of records, and the event that announces a new one.
import { timestamp } from '../../shared/wire/primitives.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { Occurrence } from './drafts.ts';
import type { EventIds } from './event-id.ts';

const TEST_VERSION_SUFFIX = '+rehearsal.';

/** The next test version: the engine's version with a number appended. */
export function nextTestVersion(version: string): string {
  const [own = '', number = '0'] = version.split(TEST_VERSION_SUFFIX);
  return `${own}${TEST_VERSION_SUFFIX}${Number(number) + 1}`;
}

/** Whether a version is the engine's own or a test version of it. */
export const isOf = (version: string, engineVersion: string): boolean =>
  version.split(TEST_VERSION_SUFFIX)[0] === engineVersion;

export const modelVersionDraft = (
  ids: EventIds,
  { at, ordinal }: Occurrence,
  version: string,
  previous: string,
): EventDraft => ({
  event_id: ids.of(at, ordinal, 'model.version', version),
  event: 'model.version',
  timestamp: timestamp(at),
  data: { version, previous, effective_at: timestamp(at) },
});
