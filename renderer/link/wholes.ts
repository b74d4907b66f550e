// Renderer: follows what the core pushes whole, beside the board: subscribes first, reads once, and again whenever the link is back.
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';
import type { WholeName, Wholes } from '../store/state.ts';

/** The names of a whole's two channels, without their endings. */
const NAMES = ['alerting', 'relay', 'archive', 'drill', 'profiles', 'shell'] as const satisfies readonly WholeName[];

/** Follows until cancelled. */
export function followWholes(window: Window<Channels>, ingest: Ingest): Cancel {
  const follow = <Name extends (typeof NAMES)[number]>(
    name: Name,
  ): { readonly read: () => void; readonly cancel: Cancel } => {
    /** Counts pushes and readings: an answer that something newer overtook is dropped. */
    let turn = 0;
    const take = (value: Wholes[Name]): void => {
      turn += 1;
      ingest({ kind: 'whole', name, value } as Parameters<Ingest>[0]);
    };
    const cancel = window.subscribe(`${name}.changed`, take as never);
    const read = (): void => {
      turn += 1;
      const mine = turn;
      window.call(`${name}.read` as 'alerting.read', {}).then(
        (value) => {
          if (turn === mine) take(value as never);
        },
        (thrown) => ingest({ kind: 'problem', message: messageOf(thrown) }),
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
