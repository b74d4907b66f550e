// Renderer, inbox: the price alerts that need the user, and their acknowledgement with Undo.
import { useShallow } from 'zustand/react/shallow';
import type { PriceAlert } from '../../../shared/channels/state.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';
import { useApp } from '../../store/store.ts';
import { waitingPrices } from './groups.ts';

const NONE: readonly PriceAlert[] = [];

/** Newest first. */
export const useWaitingPrices = (): readonly PriceAlert[] =>
  useApp(useShallow(({ snapshot }) => waitingPrices(snapshot?.price_alerts ?? NONE)));

export function useAcknowledgePrices(): (alerts: readonly PriceAlert[]) => Promise<void> {
  const { intents } = useServices();
  return async (alerts) => {
    const [first] = alerts;
    if (first === undefined) return;
    const ledger_ids = alerts.map(({ ledger_id }) => ledger_id);
    const done = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: true });
    if (!done.ok) return noteAct(done.error);
    noteAct(texts.priceAlerts.acknowledged(first.crossing.symbol), async () => {
      const undone = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: false });
      noteAct(undone.ok ? texts.alerts.acts.done.undone : undone.error);
    });
  };
}
