// Renderer: how the page Alerts stands: it is as it was left when one comes back to it.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Zone } from '../../text/format.ts';
import { FILTERS_AT_FIRST, type Filters } from './filters.ts';
import type { RuleDraft } from './rule-draft.ts';

export const SECTIONS = ['inbox', 'muted', 'rules'] as const;
type SectionName = (typeof SECTIONS)[number];
export type Mode = 'episodes' | 'transitions';

/** A rule that is being written: as it was opened or last saved, and as it is typed by now. */
interface RuleEdit {
  readonly first: RuleDraft;
  readonly draft: RuleDraft;
  /** Another one with each opening. */
  readonly turn: number;
}

/** A silence that is being written. */
export interface SilenceDraft {
  readonly symbols: string;
  /** Both as typed, in this zone: another zone chosen since then does not move them. null: nothing is typed. */
  readonly from: string;
  readonly until: string;
  readonly zone: Zone | null;
  readonly comment: string;
}

interface View {
  readonly section: SectionName;
  readonly mode: Mode;
  readonly filters: Filters;
  /** Ledger ids of the lines that are chosen. */
  readonly chosen: ReadonlySet<number>;
  /** How many rows are read at most. */
  readonly most: number;
  /** Ledger id of the alert whose snooze menu is open; 0: that of those chosen; null: none. */
  readonly snoozing: number | null;
  readonly editing: RuleEdit | null;
  readonly silence: SilenceDraft;
}

/** Rows that are read at first, and with each further asking. */
const MOST = 1000;
const NONE: ReadonlySet<number> = new Set();
const NO_SILENCE: SilenceDraft = { symbols: '', from: '', until: '', zone: null, comment: '' };

const store = createStore<View>(() => ({
  section: 'inbox',
  mode: 'episodes',
  filters: FILTERS_AT_FIRST,
  chosen: NONE,
  most: MOST,
  snoozing: null,
  editing: null,
  silence: NO_SILENCE,
}));

export const useView = <Part>(select: (view: View) => Part): Part => useStore(store, select);

export const view = {
  show: (section: SectionName) => store.setState({ section }),
  setMode: (mode: Mode) => store.setState({ mode, chosen: NONE }),
  filter: (more: Partial<Filters>) => store.setState(({ filters }) => ({ filters: { ...filters, ...more } })),
  /** Everything there is. */
  unfilter: () => store.setState({ filters: { ...FILTERS_AT_FIRST, states: [2, 1, 0], list: 'all', days: null } }),
  toggle: (id: number) =>
    store.setState(({ chosen }) => ({
      chosen: chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]),
    })),
  choose: (ids: readonly number[]) => store.setState({ chosen: new Set(ids) }),
  chooseNone: () => store.setState({ chosen: NONE }),
  snooze: (snoozing: number | null) => store.setState({ snoozing }),
  edit: (draft: RuleDraft) =>
    store.setState(({ editing }) => ({ editing: { first: draft, draft, turn: (editing?.turn ?? 0) + 1 } })),
  writeRule: (more: Partial<RuleDraft>) =>
    store.setState(({ editing }) => ({
      editing: editing === null ? null : { ...editing, draft: { ...editing.draft, ...more } },
    })),
  /** What is being written is a rule now, as it was sent. */
  ruleSaved: (first: RuleDraft) =>
    store.setState(({ editing }) => ({ editing: editing === null ? null : { ...editing, first } })),
  stopEditing: () => store.setState({ editing: null }),
  writeSilence: (more: Partial<SilenceDraft>) =>
    store.setState(({ silence }) => ({ silence: { ...silence, ...more } })),
  silenceMade: () => store.setState({ silence: NO_SILENCE }),
  readMore: () => store.setState(({ most }) => ({ most: most + MOST })),
};
