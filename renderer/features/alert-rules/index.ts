// Renderer, alert rules: what other folders may import.
export { FormField } from './form-field.tsx';
export { HoursFields } from './hours-fields.tsx';
export { HOURS_AT_FIRST, type HoursDraft, hoursDraft, hoursOf, type Problems, symbolsIn } from './rule-draft.ts';
export { RulesView } from './rules-view.tsx';
