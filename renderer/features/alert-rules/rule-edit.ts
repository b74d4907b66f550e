// Renderer: the rule that is being written. It is kept while another page is shown.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { RuleDraft } from './rule-draft.ts';

interface RuleEdit {
  /** As it was opened or last saved. */
  readonly first: RuleDraft;
  readonly draft: RuleDraft;
  /** Grows with each opening. */
  readonly turn: number;
}

const store = createStore<{ readonly editing: RuleEdit | null }>(() => ({ editing: null }));

export const useRuleEdit = (): RuleEdit | null => useStore(store, ({ editing }) => editing);

const change = (changed: (edit: RuleEdit) => RuleEdit): void =>
  store.setState(({ editing }) => ({ editing: editing === null ? null : changed(editing) }));

export const ruleEdit = {
  open: (draft: RuleDraft) =>
    store.setState(({ editing }) => ({ editing: { first: draft, draft, turn: (editing?.turn ?? 0) + 1 } })),
  write: (more: Partial<RuleDraft>) => change((edit) => ({ ...edit, draft: { ...edit.draft, ...more } })),
  /** The draft was saved as `first`. */
  saved: (first: RuleDraft) => change((edit) => ({ ...edit, first })),
  close: () => store.setState({ editing: null }),
};
