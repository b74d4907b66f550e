// Pure: the English texts of templates of rules, and of their import and export.
import type { TemplateName } from '../../settings/rule-templates.ts';
import { plural } from './plural.ts';

const TEMPLATES: Readonly<Record<TemplateName, string>> = {
  holdings: 'High Risk of what I hold',
  likely: 'High Risk with a chance of 50 % or more',
  breadth: 'Market breadth: 30 % of a list at High Risk',
  fall: 'A fall of 3 % in a day',
  level: 'A price below a level',
  regimes: 'Every regime flip',
  coins: 'Coins after the close, by phone',
  changes: 'Every change of a short list',
  briefings: 'Every briefing',
};

const rulesOf = (count: number): string => `${count} ${plural(count, 'rule', 'rules')}`;

export const ruleSharing = {
  templates: TEMPLATES,
  fromTemplate: 'New from a template',
  more: 'Import and export rules',
  importFile: 'Import rules…',
  exportFile: 'Export rules',
  file: 'barograph-rules.json',
  importing: (file: string) => `Rules of ${file}`,
  imported: (file: string) => `Imported from ${file}`,
  tooLarge: 'This file is too large to be one of rules. Choose a file that Barograph exported.',
  found: (good: number, all: number) =>
    good === all ? `${rulesOf(all)} can be imported.` : `${good} of ${rulesOf(all)} can be imported.`,
  done: (good: number, all: number) =>
    good === all ? `${rulesOf(all)} imported.` : `${good} of ${rulesOf(all)} imported.`,
  rules: 'Rules of the file',
  unnamed: (number: number) => `Rule ${number} of the file`,
  status: { on: 'On', off: 'Disabled', none: 'Not imported' },
  act: (good: number) => `Import ${rulesOf(good)}`,
  cancel: 'Cancel',
} as const;
