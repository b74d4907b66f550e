// Renderer: the current route of this window: the page, and the item requested there.

import type { Alert } from '../../shared/channels/state.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { readShownMoment, showMoment } from './shown-moment.ts';
import { createViewSlice } from './view-state.ts';

/** `visit` counts navigations, so that a page notices a second request for the same item. */
type Visit = WindowRoute & { readonly visit: number };

const slice = createViewSlice<Visit>('route', { page: 'watch', item: null, visit: 0 });

export const useRoute = <Part>(select: (route: Visit) => Part): Part => slice.use(select);

export const goTo = (route: WindowRoute): void => slice.set(({ visit }) => ({ ...route, visit: visit + 1 }));

/** The sections of the page Alerts, in the order of its tabs. */
export const ALERT_SECTIONS = ['inbox', 'prices', 'days', 'muted', 'rules'] as const;
type AlertSection = (typeof ALERT_SECTIONS)[number];

/** Kept while another page is shown. */
const sectionSlice = createViewSlice<{ readonly section: AlertSection }>('alert section', { section: 'inbox' });

export const useAlertSection = (): AlertSection => sectionSlice.use(({ section }) => section);
export const showAlertSection = (section: AlertSection): void => sectionSlice.set({ section });

/** Opens the alert with its trace. */
export const openAlert = ({ ledger_id: id }: Pick<Alert, 'ledger_id'>): void =>
  goTo({ page: 'alerts', item: String(id) });

/** Opens the page Alerts at a section. */
export function openAlertSection(section: AlertSection): void {
  showAlertSection(section);
  goTo({ page: 'alerts', item: null });
}

interface ChartDay {
  readonly symbol: string;
  /** Midnight UTC, ms. */
  readonly day: number;
}

const daySlice = createViewSlice<{ readonly requested: ChartDay | null }>('chart day', { requested: null });

/** The day at which the chart of a symbol opens, requested by another page. */
export function requestChartDay(requested: ChartDay): void {
  daySlice.set({ requested });
  const shown = readShownMoment();
  // Also a moment within the day misses what came later on it.
  if (shown !== null && requested.day + DAY_MS > shown) showMoment(null);
}

/** Whether a chart of this symbol has a day to open at. */
export const useIsDayRequested = (symbol: string): boolean =>
  daySlice.use(({ requested }) => requested?.symbol === symbol);

/** Returns the day requested for this symbol, and clears the request; null if there is none. */
export function takeChartDay(symbol: string): number | null {
  const { requested } = daySlice.get();
  if (requested === null) return null;
  daySlice.set({ requested: null });
  return requested.symbol === symbol ? requested.day : null;
}
