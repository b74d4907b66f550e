// Renderer: follows the feature states beside the snapshot; reads them once and after reconnects.
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';
import type { FeatureName, FeatureStates } from '../store/state.ts';

/** Names of each feature's two channels, without their endings. */
const NAMES = [
  'alerting',
  'relay',
  'archive',
  'selfTest',
  'profiles',
  'shell',
] as const satisfies readonly FeatureName[];

/** Follows until cancelled. */
export function followFeatures(window: WindowClient<Channels>, ingest: Ingest): Cancel {
  const follow = <Name extends (typeof NAMES)[number]>(
    name: Name,
  ): { readonly read: () => void; readonly cancel: Cancel } => {
    /** Counts pushes and reads, so that an outdated result is dropped. */
    let turn = 0;
    const take = (value: FeatureStates[Name]): void => {
      turn += 1;
      ingest({ kind: 'feature', name, value } as Parameters<Ingest>[0]);
    };
    const cancel = window.subscribe(`${name}.changed`, take as never);
    const read = (): void => {
      turn += 1;
      const mine = turn;
      window.call(`${name}.read` as 'alerting.read', {}).then(
        (value) => {
          if (turn === mine) take(value as never);
        },
        (error) => ingest({ kind: 'problem', message: messageOf(error) }),
      );
    };
    return { read, cancel };
  };
  const followed = NAMES.map((name) => follow(name));
  const unwatch = window.watch((up) => {
    if (up) for (const { read } of followed) read();
  });
  return () => {
    unwatch();
    for (const { cancel } of followed) cancel();
  };
}
