// Renderer: the number on the tab: how many alerts need the user.
import { texts } from '../../../shared/text/texts.ts';
import { useInbox } from './use-inbox.ts';
import { useWaitingPrices } from './waiting-prices.ts';

export function useAlertBadge(): { readonly count: number; readonly hot: boolean; readonly label: string } | null {
  const waiting = useWaitingPrices().length;
  const count = useInbox().needsYou.length + waiting;
  return count === 0 ? null : { count, hot: true, label: texts.alerts.badge(count) };
}
