// Main, command line: `barograph rules`: lists, enables, tests, exports and imports alert rules of the running app.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { type Rule, RuleSchema } from '../../../shared/settings/alert-rules.ts';
import { ruleFileOf } from '../../../shared/settings/rule-file.ts';
import { optionalText, plainMessage, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { AppClient } from '../../host/app-client.ts';
import { UsageError } from '../../host/command-line.ts';
import { type AppFlags, type Printed, printFromApp } from './app-output.ts';
import { worldNow } from './instants.ts';

export const listRules = (flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const [{ rules }, { watchlists }] = await Promise.all([
      app.call('alerting.read', {}),
      app.call('state.snapshot', {}),
    ]);
    const lists = new Map(watchlists.map(({ id, name }) => [id, name]));
    return rules.map((view) => ({
      record: view,
      fields: [
        view.id,
        view.rule === null ? 'invalid' : view.rule.enabled ? 'on' : 'off',
        view.rule?.name ?? '',
        view.rule === null ? '' : texts.rules.conditions(view.rule, lists),
        optionalText(view.problem),
      ],
    }));
  });

export const enableRules = (ids: readonly string[], enabled: boolean, flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const { rules } = await app.call('alerting.read', {});
    const chosen = ids.map((id) => ruleNamed(rules, id));
    for (const rule of chosen) await app.call('rules.save', { rule: { ...rule, enabled } });
    if ((await app.call('alerting.read', {})).silent) console.error('No rule can notify now.');
    const done = enabled ? 'enabled' : 'disabled';
    return chosen.map(({ id }) => ({ record: { done, id }, fields: [done, id] }));
  });

export interface WhatIfFlags extends AppFlags {
  readonly file?: string;
}

/** What a rule, of the app or of a file, would have done in the last 30 days. Notifies nobody. */
export const testRule = (id: string | undefined, flags: WhatIfFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    if ((id === undefined) === (flags.file === undefined))
      throw new UsageError('Give the id of a rule, or --file with one.');
    const rule =
      flags.file === undefined
        ? ruleNamed((await app.call('alerting.read', {})).rules, id ?? '')
        : ruleIn(`--file ${flags.file}`, read(flags.file));
    return [await backtest(app, rule)];
  });

/** Writes the valid rules. Others are named on stderr. */
export const exportRules = (file: string, flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const [alerting, { watchlists }] = await Promise.all([
      app.call('alerting.read', {}),
      app.call('state.snapshot', {}),
    ]);
    const rules = alerting.rules.flatMap(({ rule }) => rule ?? []);
    const channels = alerting.channels.flatMap(({ channel }) => channel ?? []);
    const text = `${JSON.stringify(ruleFileOf(rules, watchlists, channels), null, 2)}\n`;
    withFile(file, () => writeFileSync(file, text));
    for (const { id, rule, problem } of alerting.rules)
      if (rule === null) console.error(`${id} is not in the file: ${optionalText(problem)}`);
    return rules.map(({ id, name }) => ({ record: { done: 'exported', id }, fields: ['exported', id, name] }));
  });

export interface ImportFlags extends AppFlags {
  readonly dryRun?: boolean;
}

/** Saves the rules of a file that the app accepts. @returns 1 where it leaves one out that it does not have */
export async function importRules(file: string, { dryRun = false, ...flags }: ImportFlags): Promise<number> {
  let left = 0;
  await printFromApp(flags, async (app) => {
    const input = { text: withFile(file, () => readFileSync(file, 'utf8')), dry_run: dryRun };
    const [{ rules }, { watchlists }] = await Promise.all([
      app.call('rules.import', input),
      app.call('state.snapshot', {}),
    ]);
    const lists = new Map(watchlists.map(({ id, name }) => [id, name]));
    left = rules.filter(({ rule, notes }) => rule === null && !notes.some(({ code }) => code === KNOWN)).length;
    return rules.map(({ name, rule, notes }, index) => {
      const done = rule === null ? 'left out' : dryRun ? 'would import' : 'imported';
      return {
        record: { done, name, rule, notes },
        fields: [
          done,
          ...(rule === null
            ? [name ?? texts.ruleSharing.unnamed(index + 1)]
            : [rule.id, rule.enabled ? 'on' : 'off', rule.name, texts.rules.conditions(rule, lists)]),
          ...notes.map(textOf),
        ],
      };
    });
  });
  return left === 0 ? 0 : 1;
}

const KNOWN = 'rule_import.known';

export const backtest = (app: AppClient, rule: Rule): Promise<Printed> =>
  rule.price === null ? backtestState(app, rule) : backtestPrice(app, rule);

async function backtestPrice(app: AppClient, rule: Rule): Promise<Printed> {
  const result = await app.call('priceAlerts.backtest', { rule });
  const { notified, closes, symbols, from } = result;
  const { backtest: says } = texts.priceRules;
  return {
    record: { rule: rule.id, ...result },
    fields: [rule.id, from === null ? says.nothing : says.notified(notified, closes, symbols, from), says.closes],
  };
}

async function backtestState(app: AppClient, rule: Rule): Promise<Printed> {
  const result = await app.call('rules.backtest', { rule });
  const { known_from, notified, at_night, brief, matched, not_sustained, quiet, evaluated, from } = result;
  const { backtest: says } = texts.rules;
  const days = known_from === null ? 0 : Math.round(((await worldNow(app)) - Date.parse(known_from)) / DAY_MS);
  return {
    record: { rule: rule.id, ...result },
    fields: [
      rule.id,
      ...(from === null
        ? [says.nothing]
        : [
            says.notified(notified, at_night, brief, days),
            says.rest(matched, not_sustained, quiet),
            says.examined(evaluated, from),
          ]),
    ],
  };
}

/** @throws UsageError for anything else than a rule, with its first wrong field */
export function ruleIn(where: string, value: unknown): Rule {
  const rule = RuleSchema.safeParse(value);
  if (rule.success) return rule.data;
  const [issue] = rule.error.issues;
  throw new UsageError(`${where}: ${issue?.path.join('.') || 'the rule'}: ${issue?.message}.`);
}

const read = (file: string): unknown => withFile(`--file ${file}`, () => JSON.parse(readFileSync(file, 'utf8')));

/** @throws UsageError that names the file */
function withFile<Result>(named: string, job: () => Result): Result {
  try {
    return job();
  } catch (error) {
    throw new UsageError(`${named}: ${messageOf(error)}`);
  }
}

/** @throws RefusedError */
export function ruleNamed(rules: Alerting['rules'], id: string): Rule {
  const view = rules.find((one) => one.id === id);
  if (view === undefined)
    throw refused(plainMessage(`There is no rule ${id}. Rules: ${rules.map((one) => one.id).join(', ') || 'none'}.`));
  if (view.rule === null) throw refused(plainMessage(`The rule ${id} is invalid: ${optionalText(view.problem)}`));
  return view.rule;
}
