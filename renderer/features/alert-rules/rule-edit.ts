// Renderer: the draft of the open rule; it outlives a visit to another page.

import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { FOREIGN_EVENT } from '../../../shared/settings/core-events.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { createViewSlice } from '../../store/view-state.ts';
import { EMPTY_PRICE, priceDraftOf } from './price-draft.ts';
import { draftOf, isOther, type RuleDraft } from './rule-draft.ts';

interface RuleEdit {
  /** The draft as opened or last saved. */
  readonly first: RuleDraft;
  readonly draft: RuleDraft;
  /** Counts openings. */
  readonly turn: number;
  /** The user opened it just now; false after a return to the page. */
  readonly takesFocus: boolean;
}

const slice = createViewSlice<{ readonly editing: RuleEdit | null }>('alert rule', { editing: null });

export const useRuleEdit = (): RuleEdit | null => slice.use(({ editing }) => editing);

const change = (changed: (edit: RuleEdit) => RuleEdit): void =>
  slice.set(({ editing }) => ({ editing: editing === null ? null : changed(editing) }));

export const ruleEdit = {
  current: (): RuleEdit | null => slice.get().editing,
  open: (draft: RuleDraft) =>
    slice.set(({ editing }) => ({
      editing: { first: draft, draft, turn: (editing?.turn ?? 0) + 1, takesFocus: true },
    })),
  focused: () => change((edit) => ({ ...edit, takesFocus: false })),
  write: (more: Partial<RuleDraft>) => change((edit) => ({ ...edit, draft: { ...edit.draft, ...more } })),
  /** The draft was saved as `first`. */
  saved: (first: RuleDraft) => change((edit) => ({ ...edit, first })),
  close: () => slice.set({ editing: null }),
};

export const newRuleDraft = (zone: Zone): RuleDraft => ({ ...draftOf(DEFAULT_RULE, zone), id: null, name: '' });

/** Opens a rule, unless another one has unsaved edits: then that one is shown. */
function openUnlessEdited(draft: RuleDraft): void {
  const editing = ruleEdit.current();
  if (editing === null || !isOther(editing.draft, editing.first)) ruleEdit.open(draft);
}

/** @param symbol the rule's only symbol; null: any watched */
export function openNewRule(zone: Zone, symbol: string | null): void {
  openUnlessEdited({ ...newRuleDraft(zone), ...(symbol === null ? {} : { scope: 'symbols', symbols: symbol }) });
}

/** Opens a rule on alerts of other programs, of any symbol and severity. */
export function openForeignRule(zone: Zone): void {
  openUnlessEdited({
    ...newRuleDraft(zone),
    name: texts.foreign.heading,
    events: [FOREIGN_EVENT],
    scope: 'all',
    minState: 0,
  });
}

/**
 * @param profile the only one of the rule: another has other prices, as of a simulated market
 * @param condition null: the user enters it
 */
export function openPriceRule(
  zone: Zone,
  profile: string,
  symbol: string,
  condition: PriceCondition | null = null,
): void {
  openUnlessEdited({
    ...newRuleDraft(zone),
    name: texts.priceAlerts.ruleName(symbol, condition),
    kind: 'price',
    ...(condition === null ? EMPTY_PRICE : priceDraftOf(condition)),
    scope: 'symbols',
    symbols: symbol,
    profiles: [profile],
  });
}
