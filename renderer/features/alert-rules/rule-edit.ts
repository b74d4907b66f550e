// Renderer: the draft of the open rule; it outlives a visit to another page.
import { createViewSlice } from '../../store/view-state.ts';
import type { RuleDraft } from './rule-draft.ts';

interface RuleEdit {
  /** The draft as opened or last saved. */
  readonly first: RuleDraft;
  readonly draft: RuleDraft;
  /** Counts openings. */
  readonly turn: number;
}

const slice = createViewSlice<{ readonly editing: RuleEdit | null }>('alert rule', { editing: null });

export const useRuleEdit = (): RuleEdit | null => slice.use(({ editing }) => editing);

const change = (changed: (edit: RuleEdit) => RuleEdit): void =>
  slice.set(({ editing }) => ({ editing: editing === null ? null : changed(editing) }));

export const ruleEdit = {
  current: (): RuleEdit | null => slice.get().editing,
  open: (draft: RuleDraft) =>
    slice.set(({ editing }) => ({ editing: { first: draft, draft, turn: (editing?.turn ?? 0) + 1 } })),
  write: (more: Partial<RuleDraft>) => change((edit) => ({ ...edit, draft: { ...edit.draft, ...more } })),
  /** The draft was saved as `first`. */
  saved: (first: RuleDraft) => change((edit) => ({ ...edit, first })),
  close: () => slice.set({ editing: null }),
};
