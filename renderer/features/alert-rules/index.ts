// Renderer, alert rules: exports to other folders.
export { HoursFields } from './hours-fields.tsx';
export { alertLevelsOf } from './price-status.ts';
export { HOURS_AT_FIRST, type HoursDraft, hoursDraft, hoursOf } from './rule-draft.ts';
export { openNewRule, openPriceRule } from './rule-edit.ts';
export { RulesView } from './rules-view.tsx';
