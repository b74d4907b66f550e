// Renderer: the section of the page Alerts, and navigation to it from other pages.
import type { Alert } from '../../shared/channels/state.ts';
import { goTo } from './route.ts';
import { createViewSlice } from './view-state.ts';

export const ALERT_SECTIONS = ['inbox', 'prices', 'days', 'muted', 'rules'] as const;
type AlertSection = (typeof ALERT_SECTIONS)[number];

/** Kept while another page is shown. */
const slice = createViewSlice<{ readonly section: AlertSection }>('alert section', { section: 'inbox' });

export const useAlertSection = (): AlertSection => slice.use(({ section }) => section);
export const showAlertSection = (section: AlertSection): void => slice.set({ section });

/** Opens the alert with its trace. */
export const openAlert = ({ ledger_id: id }: Pick<Alert, 'ledger_id'>): void =>
  goTo({ page: 'alerts', item: String(id) });

/** Opens the page Alerts at a section. */
export function openAlertSection(section: AlertSection): void {
  showAlertSection(section);
  goTo({ page: 'alerts', item: null });
}
