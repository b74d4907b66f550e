// Renderer: the keys of the list and what they do: A, Shift A, S, W; Esc closes what is open, then chooses none.
import { useEffect, useMemo } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { isCommand } from '../../ui/keys.ts';
import { openSnoozeMenu, useActs } from '../inbox/index.ts';
import type { Line } from './filters.ts';
import { acknowledgeable, snoozable } from './line-acts.ts';
import { view } from './view-store.ts';

export interface LineActs {
  readonly acknowledge: () => void;
  readonly acknowledgeAll: () => void;
  readonly why: () => void;
}

interface Options {
  readonly targets: readonly Line[];
  readonly shown: readonly Line[];
  /** Which snooze menu the key S opens: that of the way beside the list, else the foot's (0). */
  readonly snoozeId: number;
  readonly onWhy: (id: number) => void;
  /** Closes the way; false where none is open. */
  readonly onClose: () => boolean;
}

export function useLineActs({ targets, shown, snoozeId, onWhy, onClose }: Options): LineActs {
  const acts = useActs();
  const made = useMemo((): LineActs => {
    const acknowledge = (alerts: readonly Alert[]) => (): void => {
      if (alerts.length > 0) acts.acknowledge(alerts);
    };
    return {
      acknowledge: acknowledge(acknowledgeable(targets)),
      acknowledgeAll: acknowledge(acknowledgeable(shown)),
      why() {
        const [first] = targets;
        if (first !== undefined) onWhy(first.id);
      },
    };
  }, [acts, targets, shown, onWhy]);
  useEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      if (!isCommand(event) || event.defaultPrevented) return;
      // G, then S, is the zone of all times.
      const isZone = isAfterG;
      isAfterG = event.key === 'g';
      if (isZone) return;
      if (event.key === 'a') made.acknowledge();
      else if (event.key === 'A') made.acknowledgeAll();
      else if (event.key === 'w') made.why();
      else if (event.key === 's' && snoozable(targets).length > 0) openSnoozeMenu(snoozeId);
      else if (event.key === 'Escape' && onClose()) return;
      else if (event.key === 'Escape') view.chooseNone();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [made, targets, snoozeId, onClose]);
  return made;
}
