// Renderer: the user's actions on alerts, from any component: done at once, announced once, undoable.
import { useEffect, useMemo } from 'react';
import type { SnoozeUntil } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { createViewSlice } from '../../store/view-state.ts';

interface Note {
  readonly id: number;
  readonly message: string;
  readonly undo: (() => void) | null;
}

/** How long Undo is offered, ms (design notes). */
const UNDO_FOR = 8000;
/** The core's limit for one call. */
const MOST = 1000;

const slice = createViewSlice<{ readonly note: Note | null }>('alert note', { note: null });
let notes = 0;
const say = (text: string, undo: Note['undo'] = null): void => {
  notes += 1;
  slice.set({ note: { id: notes, message: text, undo } });
};

export interface Acts {
  acknowledge(alerts: readonly Alert[]): void;
  /** @param how until when, as text */
  snooze(alerts: readonly Alert[], until: SnoozeUntil, how: string): void;
}

export function useActs(): Acts {
  const { intents } = useServices();
  return useMemo(() => {
    const taken = { message: texts.alerts.acts.done.undone };
    return {
      async acknowledge(alerts) {
        const ledger_ids = idsOf(alerts);
        if (ledger_ids.length === 0) return;
        const done = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: true });
        if (!done.ok) return say(done.error);
        say(texts.alerts.acts.done.acknowledged(namesOf(alerts)), async () => {
          const undone = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: false });
          say(undone.ok ? taken.message : undone.error);
        });
      },
      async snooze(alerts, until, how) {
        const ledger_ids = idsOf(alerts);
        if (ledger_ids.length === 0) return;
        const done = await intents.ask('alerts.snooze', { ledger_ids, until });
        if (!done.ok) return say(done.error);
        say(texts.alerts.acts.done.snoozed(namesOf(alerts), how), async () => {
          const undone = await intents.ask('alerts.unsnooze', { ledger_ids });
          say(undone.ok ? taken.message : undone.error);
        });
      },
    };
  }, [intents]);
}

/** The last action, while Undo is offered. */
export function useActNote(): Note | null {
  const { clock } = useServices();
  const note = slice.use((state) => state.note);
  useEffect(() => (note === null ? undefined : clock.after(UNDO_FOR, () => slice.set({ note: null }))), [note, clock]);
  return note;
}

const idsOf = (alerts: readonly Alert[]): number[] => alerts.slice(0, MOST).map(({ ledger_id }) => ledger_id);

/** Names of the alerts: their symbols, where they are few. */
export const namesOf = (alerts: readonly Alert[]): string =>
  texts.alerts.acts.names([...new Set(alerts.map(({ transition }) => transition.symbol))], alerts.length);
