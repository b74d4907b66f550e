// Renderer, alert rules: opens the editor with a new rule, from any page.

import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { openAlertSection } from '../../store/alert-routes.ts';
import { EMPTY_PRICE, priceDraftOf } from './price-draft.ts';
import { draftOf, isOther, type RuleDraft } from './rule-draft.ts';
import { ruleEdit } from './rule-edit.ts';

export const newRuleDraft = (zone: Zone): RuleDraft => ({ ...draftOf(DEFAULT_RULE, zone), id: null, name: '' });

/**
 * Opens a new rule, unless a rule has unsaved edits: then that one is shown.
 * @param symbol the rule's only symbol; null: any watched
 */
export function openNewRule(zone: Zone, symbol: string | null): void {
  const editing = ruleEdit.current();
  if (editing === null || !isOther(editing.draft, editing.first))
    ruleEdit.open({ ...newRuleDraft(zone), ...(symbol === null ? {} : { scope: 'symbols', symbols: symbol }) });
  openAlertSection('rules');
}

/** @param condition null: the user enters it */
export function openPriceRule(zone: Zone, symbol: string, condition: PriceCondition | null = null): void {
  const editing = ruleEdit.current();
  if (editing === null || !isOther(editing.draft, editing.first))
    ruleEdit.open({
      ...newRuleDraft(zone),
      name: texts.priceAlerts.ruleName(symbol, condition),
      kind: 'price',
      ...(condition === null ? EMPTY_PRICE : priceDraftOf(condition)),
      scope: 'symbols',
      symbols: symbol,
    });
  openAlertSection('rules');
}
