// Main, command line: `barograph validate`: accuracy of the signals on a price folder.
// Prints a table, or the endpoint's record.
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { ValidationSchema } from '../../../shared/wire/validation.ts';
import { readRecord } from '../../core/handlers/validation.ts';
import { UsageError } from '../../host/command-line.ts';
import { systemClock } from '../../host/system-clock.ts';
import { computeFolder } from '../../service/service-tools.ts';

import { recordPage } from './record-page.ts';

type ValidationRecord = z.infer<typeof ValidationSchema>;
type PooledMetrics = ValidationRecord['provenance']['pooled']['full'];

export async function validateVerb({
  prices,
  json,
  model,
  leaveOut,
  html,
}: {
  readonly prices: string;
  readonly json?: boolean;
  readonly model?: string;
  /** Each a list of symbols with commas between them. */
  readonly leaveOut?: readonly string[];
  /** File for the page Record. */
  readonly html?: string;
}): Promise<void> {
  if (html !== undefined) refuseUnwritable(html);
  const { record, closes } = await computeFolder(prices, {
    model,
    leftOut: leaveOut?.map((list) => list.split(',').map(normalizeSymbol)),
  });
  process.stdout.write(json === true ? `${JSON.stringify(record)}\n` : `${tableOf(record)}\n`);
  if (html !== undefined) {
    const shown = readRecord(record, systemClock.now());
    if (shown === null) throw new Error('the record cannot be shown');
    writeFileSync(html, recordPage(shown, new Map(closes.map((of) => [of.symbol, of]))));
    console.error(`The page is in ${html}.`);
  }
}

/** Before minutes of scoring. */
function refuseUnwritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error('it is a folder');
  } catch (error) {
    throw new UsageError(`--html ${file} cannot be written: ${messageOf(error)}.`);
  }
}

/** The pooled figures beside those of the baselines and of chance, both windows. */
function tableOf({ symbols, live, alert_outcomes, provenance }: ValidationRecord): string {
  const { pooled, baselines, nulls, reliability, high_risk_reliability, fitted, uncertainty, ceilings } = provenance;
  const lines = [
    `at closes: ${symbols.length} symbols, model ${provenance.model_version}, prices ${provenance.data_hash.slice(0, 16)}`,
  ];
  for (const name of ['holdout', 'full'] as const) {
    const row = (label: string, of: PooledMetrics): string =>
      [
        label.padEnd(16),
        ...[of.precision, of.recall, of.f1, of.strict.f1].map((value) => value.toFixed(3).padStart(10)),
        (of.strict.day_lift?.toFixed(2) ?? '-').padStart(9),
        `${(100 * of.in_alert).toFixed(0)} %`.padStart(9),
      ].join('');
    const head = ['', 'precision', 'recall', 'f1', 'strict f1', 'day lift', 'in alert'];
    lines.push(
      '',
      `${name === 'holdout' ? 'hold-out' : 'full'} window: ${pooled[name].events} events, ${pooled[name].n_signals} signals`,
    );
    lines.push(head.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(at < 5 ? 10 : 9))).join(''));
    lines.push(row('this model', pooled[name]), ...Object.entries(baselines).map(([rule, of]) => row(rule, of[name])));
    lines.push(row('on shuffled days', nulls.shuffled[name]));
    lines.push(
      `the same alerts at other times: f1 ${nulls.shifted[name].f1.toFixed(3)}, strict f1 ${nulls.shifted[name].strict_f1.toFixed(3)}`,
    );
    const calibration = reliability[name];
    if (calibration !== null) {
      lines.push(
        `probabilities: Brier skill ${calibration.brier_skill.toFixed(3)}, calibration error ${calibration.calibration_error.toFixed(3)}, ${calibration.bars} bars`,
      );
    }
    lines.push(...highRiskLines(high_risk_reliability?.[name] ?? null));
    lines.push(...uncertaintyLines(uncertainty?.[name] ?? null), ...outcomeLines(alert_outcomes?.pooled[name]));
  }
  for (const [world, of] of Object.entries(ceilings ?? {}))
    lines.push(
      '',
      `an ideal observer of a simulated ${world.replaceAll('_', ' ')}: f1 ${of.f1.toFixed(3)}, strict f1 ${of.strict_f1.toFixed(3)}, day lift ${of.day_lift.toFixed(2)}`,
    );
  lines.push('', ...fitLines(fitted));
  if (provenance.too_short.length > 0) lines.push(`too short to be scored: ${provenance.too_short.join(', ')}`);
  lines.push('', provenance.notes, ...liveLines(live ?? null));
  return lines.join('\n');
}

function fitLines({ version, years, seen, left_out }: ValidationRecord['provenance']['fitted']): string[] {
  if (left_out !== undefined)
    return [`fitted: on these prices, ${left_out.length} times, each time without the group of symbols that it scores`];
  return [
    `fitted: ${version}, weights for ${years[0]?.year ?? '-'} to ${years.at(-1)?.year ?? '-'}, each from outcomes closed before its year;`,
    `of ${seen.length} of these symbols the fit had the earlier prices`,
  ];
}

type Calibration = NonNullable<NonNullable<ValidationRecord['provenance']['high_risk_reliability']>['full']>;

/** Whether the published chance of bars in High Risk is true, bin by bin. */
function highRiskLines(of: Calibration | null): string[] {
  if (of === null) return [];
  const { bars, bins, base_rate, calibration_error, calibration_interval = null } = of;
  const said = bins.reduce((sum, bin) => sum + bin.predicted * bin.bars, 0) / bars;
  const bin = ({ predicted, observed, interval = null }: Calibration['bins'][number]): string =>
    `  said ${predicted.toFixed(3)}  was ${observed.toFixed(3)} ${within(interval)}`;
  return [
    `High Risk bars: said ${said.toFixed(3)}, was ${base_rate.toFixed(3)}; calibration error ${calibration_error.toFixed(3)} ${within(calibration_interval)}, ${bars} bars`,
    ...bins.map(bin),
  ];
}

type Uncertainty = NonNullable<NonNullable<ValidationRecord['provenance']['uncertainty']>['full']>;
type Outcomes = NonNullable<ValidationRecord['alert_outcomes']>['pooled']['full'];

/** Intervals of the figures, and whether they differ from those of the simple rule. */
function uncertaintyLines(found: Uncertainty | null): string[] {
  if (found === null) return [];
  const { intervals, differences, against } = found;
  const comparison = (interval: Interval | null): string =>
    interval === null || (interval.low <= 0 && interval.high >= 0)
      ? 'cannot be told apart'
      : interval.low > 0
        ? 'higher'
        : 'lower';
  const line = (label: string, figure: 'f1' | 'strict_f1' | 'day_lift'): string =>
    `  ${label.padEnd(10)} ${within(intervals[figure])}; minus ${against} ${within(differences[figure])}: ${comparison(differences[figure])}`;
  return [
    `90 % of ${found.resamples} resamples of symbols and ${found.years} years:`,
    line('f1', 'f1'),
    line('strict f1', 'strict_f1'),
    line('day lift', 'day_lift'),
    `  Brier skill ${within(intervals.brier_skill)}`,
  ];
}

type Interval = NonNullable<Uncertainty['intervals']['f1']>;

const within = (interval: Interval | null): string =>
  interval === null ? '-' : `[${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;

/** Lines about the outcomes to expect of an alert. */
function outcomeLines(of: Outcomes | undefined): string[] {
  if (of === undefined) return [];
  const bars = (quartiles: Outcomes['alert_bars']): string =>
    quartiles === null ? '-' : `${quartiles.median} (${quartiles.lower} to ${quartiles.upper})`;
  const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toFixed(0)} %`);
  const after = (label: string, sums: Outcomes['otherwise']): string[] =>
    sums === null
      ? []
      : [
          `  ${label}: a threshold lower within 21 bars ${percent(sums.loss)}, half of one ${percent(sums.half_loss)}, mean return ${sums.mean_return.toFixed(2)} %, volatility ${sums.volatility.toFixed(2)} times the usual`,
        ];
  return [
    `a year and symbol: ${of.signals_a_year?.toFixed(2) ?? '-'} signals, ${of.false_alarms_a_year?.toFixed(2) ?? '-'} false alarms; an alert lasts ${bars(of.alert_bars)} bars`,
    `  to the breach ${bars(of.bars_to_breach)} bars, to the lowest close ${bars(of.bars_to_trough)}; announced with half of the threshold ahead ${percent(of.half_ahead)}`,
    ...after('in alert', of.after_alert),
    ...after('otherwise', of.otherwise),
  ];
}

/** Lines of the record of alerts within the day. */
function liveLines(live: NonNullable<ValidationRecord['live']> | null): string[] {
  if (live === null) return ['', 'within the day: no symbol has a year of prices within the day'];
  const three = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
  const lines = ['', `within the day: ${live.symbols.map(({ symbol }) => symbol).join(', ')}`];
  for (const name of ['holdout', 'full'] as const) {
    const of = live.pooled[name];
    const held = `${of.within_day} began within the day, for ${of.median_minutes ?? '-'} minutes (median); ${of.held_to_close} lasted to the close`;
    lines.push(
      `${name === 'holdout' ? 'hold-out' : 'full'} window: ${of.events} events, ${of.n_signals} signals; ${held}`,
      `  precision ${three(of.precision)} (chance ${three(of.chance.precision)}), recall ${three(of.recall)}, f1 ${three(of.f1)}`,
      `  with no credit for a fall already made: precision ${three(of.strict_precision)} (chance ${three(of.chance.strict_precision)})`,
    );
  }
  return [...lines, live.notes];
}
