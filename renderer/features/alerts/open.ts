// Renderer: the ways to the page Alerts from elsewhere.
import type { Alert } from '../../../shared/channels/state.ts';
import { goTo } from '../../store/route.ts';
import { view } from './view-store.ts';

/** Why: the alert with its way. */
export const openAlert = ({ ledger_id: id }: Pick<Alert, 'ledger_id'>): void =>
  goTo({ page: 'alerts', item: String(id) });

export function openRules(): void {
  view.show('rules');
  goTo({ page: 'alerts', item: null });
}

export function openInbox(): void {
  view.show('inbox');
  goTo({ page: 'alerts', item: null });
}
