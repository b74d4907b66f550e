// Main, core: reads the parts of a validation record besides the figures of each symbol.
// Parts are independent: a part that is missing or in another format is omitted.
import { z } from 'zod';
import type {
  Baseline,
  LiveScore,
  PooledScore,
  ReliabilityCurve,
  Uncertainty,
  ValidationDetails,
} from '../../../shared/channels/validation.ts';
import { AlertOutcomesSchema, CeilingSchema, UncertaintySchema } from '../../../shared/wire/alert-outcomes.ts';
import { LivePooledSchema, PooledSchema, ReliabilitySchema } from '../../../shared/wire/validation.ts';
import { type Fields, finite, isFields, symbol, text } from './fields.ts';

const both = <Value extends z.ZodType>(value: Value) => z.object({ full: value, holdout: value });
const PooledPairSchema = both(PooledSchema);
const LivePairSchema = both(LivePooledSchema);
const OutcomesPairSchema = both(AlertOutcomesSchema);
const F1PairSchema = both(z.object({ f1: z.number() }));
const ReliabilityPairSchema = both(ReliabilitySchema.nullable());

/** A calendar day from any text that begins with one. */
export const day = (value: unknown): string | null => /^\d{4}-\d{2}-\d{2}/.exec(text(value) ?? '')?.[0] ?? null;

/** @param outcomes the record's `alert_outcomes` */
export function readDetails(provenance: Fields, outcomes: unknown): ValidationDetails {
  const pooled = PooledPairSchema.safeParse(provenance.pooled).data;
  const uncertainty = isFields(provenance.uncertainty) ? provenance.uncertainty : undefined;
  const fitted = isFields(provenance.fitted) ? provenance.fitted : {};
  return {
    pooled: pooled === undefined ? null : { full: scoreOf(pooled.full), holdout: scoreOf(pooled.holdout) },
    baselines: [
      ...baselinesOf(provenance.baselines, 'rule'),
      ...baselinesOf(provenance.nulls, 'null'),
      ...ceilingsOf(provenance.ceilings),
    ],
    reliability: curvesOf(provenance.reliability),
    high_risk: curvesOf(provenance.high_risk_reliability),
    outcomes: outcomesOf(outcomes),
    uncertainty: { full: uncertaintyOf(uncertainty?.full), holdout: uncertaintyOf(uncertainty?.holdout) },
    scorer: numbersOf(provenance.scorer),
    too_short: symbolsOf(provenance.too_short) ?? [],
    seen: symbolsOf(fitted.seen),
    windows: windowsOf(provenance.windows),
    data_hash: text(provenance.data_hash),
  };
}

/** First and last day of each symbol. */
export const windowsOf = (value: unknown): ValidationDetails['windows'] =>
  (Array.isArray(value) ? value : []).filter(isFields).flatMap((row) => {
    const [named, from, to] = [symbol(row.symbol), day(row.from), day(row.to)];
    return named === null || from === null || to === null ? [] : [{ symbol: named, from, to }];
  });

/** The figures of alerts within the day; null: missing or in another format. */
export function livePooledOf(value: unknown): { full: LiveScore; holdout: LiveScore } | null {
  const pooled = LivePairSchema.safeParse(value).data;
  return pooled === undefined ? null : { full: liveScoreOf(pooled.full), holdout: liveScoreOf(pooled.holdout) };
}

const liveScoreOf = ({ tp, fp, unresolved, ...score }: z.infer<typeof LivePooledSchema>): LiveScore => ({
  ...score,
  right: tp,
  wrong: fp,
  undecided: unresolved,
});

function scoreOf({ strict, tp, fp, unresolved, ...score }: z.infer<typeof PooledSchema>): PooledScore {
  return { ...score, right: tp, wrong: fp, undecided: unresolved, strict_f1: strict.f1, day_lift: strict.day_lift };
}

function baselinesOf(value: unknown, kind: Baseline['kind']): Baseline[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, pair]) => {
    const read = F1PairSchema.safeParse(pair).data;
    return read === undefined ? [] : [{ name, kind, full: read.full.f1, holdout: read.holdout.f1 }];
  });
}

/** A simulated world has no hold-out. */
function ceilingsOf(value: unknown): Baseline[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const read = CeilingSchema.safeParse(one).data;
    return read === undefined ? [] : [{ name, kind: 'ceiling', full: read.f1, holdout: null }];
  });
}

/**
 * Pooled figures and those of each symbol; null: the pooled figures are missing or in another format. Omits
 * symbols with invalid figures.
 */
function outcomesOf(value: unknown): ValidationDetails['outcomes'] {
  if (!isFields(value)) return null;
  const pooled = OutcomesPairSchema.safeParse(value.pooled).data;
  if (pooled === undefined) return null;
  const symbols = (Array.isArray(value.symbols) ? value.symbols : []).filter(isFields).flatMap((row) => {
    const [named, read] = [symbol(row.symbol), OutcomesPairSchema.safeParse(row).data];
    return named === null || read === undefined ? [] : [{ symbol: named, ...read }];
  });
  return { ...pooled, symbols };
}

function uncertaintyOf(value: unknown): Uncertainty | null {
  const read = UncertaintySchema.safeParse(value).data;
  if (read === undefined) return null;
  const { years, intervals, against, differences } = read;
  return { years, intervals, against, differences };
}

function curvesOf(value: unknown): ValidationDetails['reliability'] {
  const read = ReliabilityPairSchema.safeParse(value).data;
  return { full: curveOf(read?.full), holdout: curveOf(read?.holdout) };
}

function curveOf(value: z.infer<typeof ReliabilitySchema> | null | undefined): ReliabilityCurve | null {
  if (value == null) return null;
  const { bins, calibration_interval = null, ...rest } = value;
  return {
    ...rest,
    interval: calibration_interval,
    bins: bins.map(({ predicted, observed, bars, interval = null }) => ({
      ...{ said: predicted, happened: observed, bars, interval },
    })),
  };
}

const numbersOf = (value: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).flatMap(([name, one]) => {
      const number = finite(one);
      return number === null ? [] : [[name, number] as const];
    }),
  );
const symbolsOf = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.flatMap((one) => symbol(one) ?? []) : null;
