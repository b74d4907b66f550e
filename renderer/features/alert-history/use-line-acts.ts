// Renderer: the keys of the list: A, Shift A, S, W; Esc closes the trace, then clears the choice.
import { useMemo } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { canAcknowledge, canSnooze, outcomeOf } from '../../store/alert-outcome.ts';
import { isWriting } from '../../ui/shortcuts/registry.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { openSnoozeMenu, useActs, useCopyPicture } from '../inbox/index.ts';
import type { Line } from './filters.ts';
import { view } from './view-store.ts';

export interface LineActs {
  readonly acknowledge: () => void;
  readonly acknowledgeAll: () => void;
  readonly why: () => void;
}

interface Options {
  readonly targets: readonly Line[];
  readonly shown: readonly Line[];
  /** The snooze menu that S opens: of the trace beside the list, else of the foot (0). */
  readonly snoozeId: number;
  readonly onWhy: (id: number) => void;
  /** Closes the trace; false if none is open. */
  readonly onClose: () => boolean;
}

export function useLineActs({ targets, shown, snoozeId, onWhy, onClose }: Options): LineActs {
  const acts = useActs();
  const copyPicture = useCopyPicture();
  const made = useMemo((): LineActs => {
    const acknowledge = (alerts: readonly Alert[]) => (): void => {
      if (alerts.length > 0) acts.acknowledge(alerts);
    };
    return {
      acknowledge: acknowledge(acknowledgeable(targets)),
      acknowledgeAll: acknowledge(needing(shown)),
      why() {
        const [first] = targets;
        if (first !== undefined) onWhy(first.id);
      },
    };
  }, [acts, targets, shown, onWhy]);
  useShortcuts('alerts', {
    acknowledge: made.acknowledge,
    acknowledgeAll: made.acknowledgeAll,
    why: made.why,
    copy: () => copyPicture(targets[0]?.subject.alert.transition.symbol ?? null),
    snooze: () => snoozable(targets).length > 0 && openSnoozeMenu(snoozeId),
  });
  // Escape in a field would discard the text.
  useShortcuts('everywhere', { close: (event) => !isWriting(event) && (onClose() || view.chooseNone()) });
  return made;
}

export const canAcknowledgeLine = (line: Line): boolean => acknowledgeable([line]).length > 0;

/** The alerts of these lines that can be acknowledged, including an episode's earlier ones. */
export const acknowledgeable = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows, subject, outcome, to }) =>
    rows.flatMap(({ alert }) => {
      const isActive = to === null && alert === rows.at(-1)?.alert;
      const own = alert === subject.alert ? outcome : outcomeOf(alert, isActive, []);
      return canAcknowledge(own) ? [alert] : [];
    }),
  );

/** The alerts of these lines that need attention: as many as badge and title count, where all are shown. */
export const needing = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows }) => rows.flatMap(({ alert }) => (alert.needs_attention ? [alert] : [])));

export const snoozable = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows, to }) => {
    const alert = rows.at(-1)?.alert;
    return alert !== undefined && canSnooze(alert, to === null) ? [alert] : [];
  });
