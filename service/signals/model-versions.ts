// Service, signals: the announced model versions, current and past.

import type { ClusterPort } from '../cluster-port.ts';
import type { EventDraft, ModelChange } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { isOf, modelVersionDraft } from './model-version.ts';
import type { StateDetector } from './state-detector.ts';

export interface ModelVersions {
  /**
   * Continues with the last announced version.
   * @returns the event, dated `instant`, that announces a new version of the engine, if it has one
   */
  resume(instant: number): EventDraft[];
  /** Reads the changes from the log. */
  read(): void;
  /** Records a change that is about to be logged, at world ms. */
  changed(at: number, previous: string): void;
  /** The version at a past instant, as far back as the log reaches. */
  at(instant: number): string;
}

export function createModelVersions(
  store: Store,
  detector: StateDetector,
  { leads }: Pick<ClusterPort, 'leads'>,
): ModelVersions {
  const { engineVersion, ids } = detector;
  /** Oldest first. */
  let changes: ModelChange[] = [];
  return {
    resume(instant) {
      const announced = store.meta('model_version') ?? engineVersion;
      const same = isOf(announced, engineVersion);
      detector.modelVersion = same ? announced : engineVersion;
      if (leads() && store.meta('model_version') !== announced)
        store.transaction(() => store.setMeta('model_version', announced));
      return same ? [] : [modelVersionDraft(ids, { at: instant, ordinal: 0 }, engineVersion, announced)];
    },
    read() {
      changes = store.log.modelVersions();
    },
    changed: (at, previous) => void changes.push({ at, previous }),
    at: (instant) => changes.find(({ at }) => at > instant)?.previous ?? detector.modelVersion,
  };
}
