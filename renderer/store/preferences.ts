// Renderer: the user's preferences for this window, in the browser's storage.
// Theme, zone of times, order of lists, dismissed toasts. The core does not know them.

import { z } from 'zod';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { HOLDING_UNITS } from '../../shared/domain/holdings.ts';
import { GRANULARITIES } from '../../shared/domain/regimes.ts';
import { DEFAULT_WORTH, WaySchema } from '../../shared/domain/worth.ts';
import { DEFAULT_ZONE, ZONES } from '../../shared/text/format.ts';
import {
  DEFAULT_READING_PREFERENCES,
  type ReadingPreferences,
  ReadingPreferencesSchema,
} from './reading-preferences.ts';

const KEY = 'barograph.preferences';
/** How many ids of dismissed toasts are kept. */
const MAX_DISMISSED = 400;

/** Columns of the watchlist that can be hidden; symbol and state always show. */
export const COLUMNS = ['toBreach', 'chance', 'risk', 'price', 'change'] as const;
export type Column = (typeof COLUMNS)[number];
const SORT_COLUMNS = ['symbol', 'state', ...COLUMNS] as const;

/** How the prices of a symbol are drawn. */
export const CHART_STYLES = ['line', 'candles'] as const;
export type ChartStyle = (typeof CHART_STYLES)[number];

/** Views of the panel below the chart. */
export const VIEWS = ['moved', 'history', 'transitions', 'daily', 'gaps'] as const;
export type View = (typeof VIEWS)[number];

/** system: follows the computer's theme. */
export const THEME_CHOICES = ['system', 'dark', 'light'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
/** Height of the rows of tables, px. */
export const ROW_HEIGHTS = { dense: 20, normal: 24, roomy: 30 } as const;
export const DENSITIES = ['dense', 'normal', 'roomy'] as const;
export type Density = (typeof DENSITIES)[number];

/** In which columns of a table positions are, by index. */
const SheetColumnsSchema = z.object({
  symbol: z.number(),
  amount: z.number(),
  unit: z.enum(HOLDING_UNITS),
  cost: z.number().nullable(),
  /** The cost is of all, not of one. */
  isCostTotal: z.boolean(),
  currency: z.number().nullable(),
  /** The currency of rows without one; empty: not known. */
  everyCurrency: z.string(),
});
export type SheetColumns = z.infer<typeof SheetColumnsSchema>;
/** How many tables' columns are remembered. */
const MAX_SHEETS = 20;

const SortSchema = z.object({ column: z.enum(SORT_COLUMNS), descending: z.boolean() });
export type Sort = z.infer<typeof SortSchema>;

// Unreadable and missing values become defaults.
const PreferencesSchema = z.object({
  /** The current theme; derived from `themeChoice`. */
  theme: z.enum(['dark', 'light']).catch('dark'),
  themeChoice: z.enum(THEME_CHOICES).catch('dark'),
  density: z.enum(DENSITIES).catch('normal'),
  /** The user left the first steps, or took them. */
  introRead: z.boolean().catch(false),
  /** The one that is shown, from 0. */
  introStep: z.number().int().min(0).max(2).catch(0),
  /** The version whose changes the user knows; null before the first start. */
  seenVersion: z.string().nullable().catch(null),
  zone: z.enum(ZONES).catch(DEFAULT_ZONE),
  /** Ids of the events of dismissed toasts. */
  dismissed: z.array(z.string()).catch([]),
  /** Id of the shown watchlist by profile; if that list is gone, another one is shown. */
  lists: z.record(z.string(), z.string()).catch({}),
  /** null: the trader's own order. */
  sort: SortSchema.nullable().catch(null),
  /** The view of the lists by profile. */
  listViews: z.record(z.string(), z.string()).catch({}),
  hidden: z.array(z.enum(COLUMNS)).catch([]),
  /** The columns of imported positions by the names of a table's columns. */
  sheetColumns: z.record(z.string(), SheetColumnsSchema).catch({}),
  /** Options of the timeline and of the panel below, the same for every symbol. */
  days: z.union([z.literal(1), z.literal(5), z.literal(30), z.literal(90)]).catch(30),
  resolution: z.enum(GRANULARITIES).catch('day'),
  chartStyle: z.enum(CHART_STYLES).catch('line'),
  view: z.enum(VIEWS).catch('moved'),
  /** What to do at High Risk, and what a turn costs, percent of the moved money: of the page Record. */
  worth: z.object({ way: WaySchema, cost: z.number().min(0).max(10) }).catch(DEFAULT_WORTH),
  reading: ReadingPreferencesSchema.catch(DEFAULT_READING_PREFERENCES),
  /** Hosts that the user allowed to open without asking. */
  hosts: z.array(z.string()).catch([]),
  /** Single keys are shortcuts. Turn off for speech input (WCAG 2.1.4). */
  singleKeys: z.boolean().catch(true),
});
type Preferences = z.infer<typeof PreferencesSchema>;

/** @throws ZodError if it is no object */
export const readPreferences = (stored: unknown): Preferences => PreferencesSchema.parse(stored);

function load(): Preferences {
  try {
    return readPreferences(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    return PreferencesSchema.parse({});
  }
}

const store = createStore<Preferences>(() => load());
store.subscribe((preferences) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the window.
  }
});

// A toast dismissed in one window is dismissed in all of this browser; other preferences stay with their
// window until the next one opens.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return;
    const known = store.getState().dismissed;
    const others = load().dismissed.filter((id) => !known.includes(id));
    if (others.length > 0) store.setState({ dismissed: [...known, ...others].slice(-MAX_DISMISSED) });
  });

export const usePreference = <Part>(select: (preferences: Preferences) => Part): Part => useStore(store, select);

export const preferences = {
  read: () => store.getState(),
  watch: (listener: (preferences: Preferences) => void) => store.subscribe(listener),
  setTheme: (theme: Preferences['theme']) => store.setState({ theme, themeChoice: theme }),
  /** @param system the computer's current theme */
  chooseTheme: (themeChoice: ThemeChoice, system: Preferences['theme']) =>
    store.setState({ themeChoice, theme: themeChoice === 'system' ? system : themeChoice }),
  setDensity: (density: Density) => store.setState({ density }),
  readIntro: () => store.setState({ introRead: true }),
  showIntroStep: (introStep: number) => store.setState({ introStep }),
  seeVersion: (seenVersion: string | null) => store.setState({ seenVersion }),
  setZone: (zone: Preferences['zone']) => store.setState({ zone }),
  nextZone: () =>
    store.setState(({ zone }) => ({ zone: ZONES[(ZONES.indexOf(zone) + 1) % ZONES.length] ?? DEFAULT_ZONE })),
  dismiss: (ids: readonly string[]) =>
    store.setState(({ dismissed }) => ({
      dismissed: [...dismissed.filter((id) => !ids.includes(id)), ...ids].slice(-MAX_DISMISSED),
    })),
  showList: (profile: string, list: string) =>
    store.setState(({ lists }) => ({ lists: { ...lists, [profile]: list } })),
  showListView: (profile: string, view: string) =>
    store.setState(({ listViews }) => ({ listViews: { ...listViews, [profile]: view } })),
  /** Ascending, descending, then the trader's own order. Numbers begin with the largest, distances with the least. */
  nextSort: (column: Sort['column']) =>
    store.setState(({ sort }) => {
      const first = column !== 'symbol' && column !== 'toBreach';
      if (sort?.column !== column) return { sort: { column, descending: first } };
      return { sort: sort.descending === first ? { column, descending: !first } : null };
    }),
  clearSort: () => store.setState({ sort: null }),
  toggleColumn: (column: Column) =>
    store.setState(({ hidden }) => ({
      hidden: hidden.includes(column) ? hidden.filter((each) => each !== column) : [...hidden, column],
    })),
  rememberSheet: (key: string, columns: SheetColumns) =>
    store.setState(({ sheetColumns: { [key]: _, ...others } }) => ({
      sheetColumns: Object.fromEntries([...Object.entries(others), [key, columns] as const].slice(-MAX_SHEETS)),
    })),
  setDays: (days: Preferences['days']) => store.setState({ days }),
  setResolution: (resolution: Preferences['resolution']) => store.setState({ resolution }),
  setChartStyle: (chartStyle: ChartStyle) => store.setState({ chartStyle }),
  setView: (view: View) => store.setState({ view }),
  setWorth: (change: Partial<Preferences['worth']>) =>
    store.setState(({ worth }) => ({ worth: { ...worth, ...change } })),
  setReading: (change: Partial<ReadingPreferences>) =>
    store.setState(({ reading }) => ({ reading: { ...reading, ...change } })),
  allowHost: (host: string) =>
    store.setState(({ hosts }) => ({ hosts: [...hosts.filter((each) => each !== host), host] })),
  setSingleKeys: (singleKeys: boolean) => store.setState({ singleKeys }),
};
