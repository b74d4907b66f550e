// Renderer: the user's actions on alerts, from any component.
// Each action is done at once, announced once, and can be undone.
import { useMemo } from 'react';
import type { SnoozeUntil } from '../../../shared/channels/alerting.ts';
import type { Alert, LocalAlert } from '../../../shared/channels/state.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Answered } from '../../link/intents.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';

/** The core's limit for one call. */
const MOST = 1000;

export interface Acts {
  acknowledge(alerts: readonly Alert[], prices?: readonly LocalAlert[]): void;
  /** @param how until when, as text */
  snooze(alerts: readonly Alert[], until: SnoozeUntil, how: string): void;
}

export function useActs(): Acts {
  const { intents } = useServices();
  return useMemo(() => {
    const { undone } = texts.alerts.acts.done;
    return {
      async acknowledge(alerts, prices = []) {
        const calls = callsFor([...alerts, ...prices]);
        const acknowledge = (acknowledged: boolean): Promise<string | null> =>
          firstError(calls, (ledger_ids) => intents.ask('alerts.acknowledge', { ledger_ids, acknowledged }));
        if (calls.length === 0) return;
        const error = await acknowledge(true);
        if (error !== null) return noteAct(error);
        noteAct(texts.alerts.acts.done.acknowledged(namesOf(alerts, prices)), async () =>
          noteAct((await acknowledge(false)) ?? undone),
        );
      },
      async snooze(alerts, until, how) {
        const calls = callsFor(alerts);
        if (calls.length === 0) return;
        const error = await firstError(calls, (ledger_ids) => intents.ask('alerts.snooze', { ledger_ids, until }));
        if (error !== null) return noteAct(error);
        noteAct(texts.alerts.acts.done.snoozed(namesOf(alerts), how), async () =>
          noteAct((await firstError(calls, (ledger_ids) => intents.ask('alerts.unsnooze', { ledger_ids }))) ?? undone),
        );
      },
    };
  }, [intents]);
}

/** The ids of the alerts, divided into calls of the core's limit. */
const callsFor = (alerts: readonly Pick<Alert, 'ledger_id'>[]): number[][] =>
  Array.from({ length: Math.ceil(alerts.length / MOST) }, (_, call) =>
    alerts.slice(call * MOST, (call + 1) * MOST).map(({ ledger_id }) => ledger_id),
  );

/** Makes the calls in turn, up to the first that fails. @returns its error; null: all succeeded */
async function firstError(
  calls: readonly number[][],
  ask: (ledgerIds: number[]) => Promise<Answered<unknown>>,
): Promise<string | null> {
  for (const ledgerIds of calls) {
    const done = await ask(ledgerIds);
    if (!done.ok) return done.error;
  }
  return null;
}

export const symbolsOf = (alerts: readonly Alert[]): string[] => [
  ...new Set(alerts.map(({ transition }) => transition.symbol)),
];

/** Names of the alerts: their symbols, where they are few. */
export const namesOf = (alerts: readonly Alert[], prices: readonly LocalAlert[] = []): string =>
  texts.alerts.acts.names(
    [...new Set([...symbolsOf(alerts), ...prices.map(texts.localAlertName)])],
    alerts.length + prices.length,
  );
