// Service, validation: computes the validation record of a market source in steps.
// The endpoint's worker and the command line share it.
import type { z } from 'zod';
import { timestamp } from '../../shared/wire/primitives.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { liveValidation } from '../engine/scoring/live-validation.ts';
import type { CloseObserver } from '../engine/scoring/scored-series.ts';
import { type ValidationOptions, validation } from '../engine/scoring/validation.ts';
import { openCsvFolderInSteps, problemLines } from '../market/csv/source.ts';
import type { MarketSource } from '../market/types.ts';
import type { Steps } from '../steps.ts';
import { LiveReplay } from './live-replay.ts';
import { pastMarket } from './past-market.ts';
import { createCloseKeeper, type ScoredCloses } from './scored-closes.ts';

export type ValidationRecord = z.infer<typeof ValidationSchema>;

/** What is scored: see `ValidationOptions`. */
export type ScoredModel = Pick<ValidationOptions, 'model' | 'leftOut'>;

/**
 * @param instant world ms: the record includes the bars closed by then, and has it as computed_at
 * @param keeper observes the closes, too
 */
export function* computeInSteps(
  source: MarketSource,
  instant: number,
  scored: ScoredModel = {},
  keeper: Pick<CloseObserver, 'afterClose'> | null = null,
): Steps<ValidationRecord> {
  const market = pastMarket(source, instant);
  const replay = new LiveReplay(source, market);
  const observer: CloseObserver = {
    beforeClose: (symbols, engine) => replay.beforeClose(symbols, engine),
    afterClose(readings) {
      replay.afterClose(readings);
      keeper?.afterClose(readings);
    },
  };
  const { provenance, ...closes } = yield* validation(market, timestamp(instant), { ...scored, observer });
  const live = liveValidation(replay.series, (symbol, bar) => market.bars(symbol)[bar]?.date ?? '');
  return ValidationSchema.parse({ ...closes, live, provenance });
}

/**
 * Computes the record of a price folder as of its newest close, so that equal folders give equal records, and
 * the closes that it scored.
 * @param onProblems receives the unusable parts of the folder, one line each, once it is read
 * @throws Error with one sentence when the folder has no prices, or none of a symbol that is to be left out
 */
export function* computeFolder(
  folder: string,
  scored: ScoredModel,
  onProblems: (problems: readonly string[]) => void,
): Steps<{ readonly record: ValidationRecord; readonly closes: readonly ScoredCloses[] }> {
  const source = yield* openCsvFolderInSteps(folder);
  onProblems(problemLines(source));
  const known = new Set(source.instruments.flatMap(({ symbol, inputOnly }) => (inputOnly ? [] : [symbol])));
  const unknown = scored.leftOut?.flat().find((symbol) => !known.has(symbol));
  if (unknown !== undefined) throw new Error(`${folder} has no signal of ${unknown}, which is to be left out`);
  let newest = 0;
  for (const { closesAt } of source.closedDays(() => null, Number.POSITIVE_INFINITY))
    newest = Math.max(newest, ...closesAt.values());
  const keeper = createCloseKeeper();
  return { record: yield* computeInSteps(source, newest, scored, keeper), closes: keeper.kept() };
}
