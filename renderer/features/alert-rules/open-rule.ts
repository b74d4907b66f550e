// Renderer: opens a new rule from anywhere; the code of rules loads when needed, or before when the window is idle.
import { lazyModules } from '../../lazy-modules.ts';
import { openAlertSection } from '../../store/route.ts';

type RuleEdit = typeof import('./rule-edit.ts');

const ruleEdit = lazyModules.add(() => import('./rule-edit.ts'));

/** Where the code does not load, the page that opens says so. */
function whenLoaded(job: (code: RuleEdit) => void): void {
  openAlertSection('rules');
  void ruleEdit.load().then(() => {
    const loading = ruleEdit.read();
    if (loading.status === 'ready') job(loading.code);
  });
}

export const openNewRule: RuleEdit['openNewRule'] = (...given) => whenLoaded((code) => code.openNewRule(...given));
export const openPriceRule: RuleEdit['openPriceRule'] = (...given) =>
  whenLoaded((code) => code.openPriceRule(...given));
export const openForeignRule: RuleEdit['openForeignRule'] = (...given) =>
  whenLoaded((code) => code.openForeignRule(...given));
