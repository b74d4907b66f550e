// Renderer, alert rules: exports to other folders.
export { HoursFields } from './hours-fields.tsx';
export { openForeignRule, openNewRule, openPriceRule } from './open-rule.ts';
export { alertLevelsOf } from './price-status.ts';
export { HOURS_AT_FIRST, type HoursDraft, hoursDraft, hoursOf } from './rule-draft.ts';
export { RulesView } from './rules-view.tsx';
