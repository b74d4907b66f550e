// Renderer: the user's actions on alerts, from any component.
// Each is done at once, announced once, and can be undone.
import { useMemo } from 'react';
import type { SnoozeUntil } from '../../../shared/channels/alerting.ts';
import type { Alert, PriceAlert } from '../../../shared/channels/state.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';

/** The core's limit for one call. */
const MOST = 1000;

export interface Acts {
  acknowledge(alerts: readonly Alert[], prices?: readonly PriceAlert[]): void;
  /** @param how until when, as text */
  snooze(alerts: readonly Alert[], until: SnoozeUntil, how: string): void;
}

export function useActs(): Acts {
  const { intents } = useServices();
  return useMemo(() => {
    const taken = { message: texts.alerts.acts.done.undone };
    return {
      async acknowledge(alerts, prices = []) {
        const ledger_ids = idsOf([...alerts, ...prices]);
        if (ledger_ids.length === 0) return;
        const done = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: true });
        if (!done.ok) return noteAct(done.error);
        noteAct(texts.alerts.acts.done.acknowledged(namesOf(alerts, prices)), async () => {
          const undone = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: false });
          noteAct(undone.ok ? taken.message : undone.error);
        });
      },
      async snooze(alerts, until, how) {
        const ledger_ids = idsOf(alerts);
        if (ledger_ids.length === 0) return;
        const done = await intents.ask('alerts.snooze', { ledger_ids, until });
        if (!done.ok) return noteAct(done.error);
        noteAct(texts.alerts.acts.done.snoozed(namesOf(alerts), how), async () => {
          const undone = await intents.ask('alerts.unsnooze', { ledger_ids });
          noteAct(undone.ok ? taken.message : undone.error);
        });
      },
    };
  }, [intents]);
}

const idsOf = (alerts: readonly Pick<Alert, 'ledger_id'>[]): number[] =>
  alerts.slice(0, MOST).map(({ ledger_id }) => ledger_id);

export const symbolsOf = (alerts: readonly Alert[]): string[] => [
  ...new Set(alerts.map(({ transition }) => transition.symbol)),
];

/** Names of the alerts: their symbols, where they are few. */
export const namesOf = (alerts: readonly Alert[], prices: readonly PriceAlert[] = []): string =>
  texts.alerts.acts.names(
    [...new Set([...symbolsOf(alerts), ...prices.map(({ crossing }) => crossing.symbol)])],
    alerts.length + prices.length,
  );
