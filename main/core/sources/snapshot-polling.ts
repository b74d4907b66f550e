// Main, core: reads the signals of watched symbols from the pages of GET /snapshot into the rows.
import type { Client, Page } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { type Row, type RowSignal, RowSignalSchema } from '../../../shared/channels/state.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { normalizeSignal } from '../compat/normalize.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { CoreEvents } from '../events.ts';
import type { CoreContext } from '../module.ts';
import type { RowTable } from '../rows.ts';

/** Symbols per request: as many as a page has rows. */
export const SYMBOLS_PER_CALL = 100;
/** Pages of one answer: a service that ignores `symbols` may have thousands. */
const MAX_PAGES = 60;
/** Every so many polls ask for all symbols, in a sandbox each 10 seconds. */
const WHOLE_EVERY = 5;
/** The source of signals that the simulated market names. */
const SIMULATED = 'sandbox';

export interface SnapshotPoll {
  readonly outcome: CoreEvents['signalsPolled']['outcome'];
  /** Rows that could not be read. */
  readonly invalidCount: number;
  /** Most pages of one request: a service that sends all its symbols is polled less often. */
  readonly pages: number;
  /** Symbols with a signal. */
  readonly found: readonly string[];
  /** Symbols without a signal: known only when the whole list was read. */
  readonly without: readonly string[];
}

export interface SnapshotPollingDeps {
  readonly context: Pick<CoreContext, 'guard' | 'world'>;
  readonly vocabulary: Vocabulary;
  readonly client: Pick<Client, 'page'>;
  readonly rows: RowTable;
  readonly isStopped: () => boolean;
}

/** @returns polls the watched symbols that may have changed once */
export function createSnapshotPolling(deps: SnapshotPollingDeps): () => Promise<SnapshotPoll> {
  const { context, client, rows, isStopped } = deps;
  const { clock } = context.guard;
  const readSignals = signalReader(deps.vocabulary);
  const dueSymbols = createDueSymbols(deps);

  /**
   * Reads pages until all symbols were found: a service may send other symbols first, in pages of any size.
   */
  const eachPage = async (
    symbols: readonly string[],
    missing: ReadonlySet<string>,
    take: (page: Page, askedAt: string, number: number) => void,
  ): Promise<Result<{ readonly isWhole: boolean }, ServiceProblem>> => {
    const seen = new Set<string | null>();
    let after: string | null = null;
    for (let number = 1; number <= MAX_PAGES; number += 1) {
      const askedAt = timestamp(Math.floor(context.world.now()));
      const answer: Result<Page, ServiceProblem> = await client.page('snapshot', {
        query: { limit: SYMBOLS_PER_CALL, symbols: [...symbols], ...(after === null ? {} : { after }) },
      });
      if (!answer.ok) return answer;
      if (isStopped()) break;
      take(answer.value, askedAt, number);
      after = answer.value.nextCursor;
      if (!answer.value.hasMore || after === null) return ok({ isWhole: true });
      if (missing.size === 0 || seen.has(after)) break;
      seen.add(after);
    }
    return ok({ isWhole: missing.size === 0 });
  };

  return async () => {
    const symbols = dueSymbols.take();
    const [found, without]: [string[], string[]] = [[], []];
    let [took, pages, invalidCount] = [0, 1, 0];
    const end = (outcome: SnapshotPoll['outcome']): SnapshotPoll => ({ outcome, invalidCount, pages, found, without });
    for (let from = 0; from < symbols.length && !isStopped(); from += SYMBOLS_PER_CALL) {
      const requested = symbols.slice(from, from + SYMBOLS_PER_CALL);
      const missing = new Set(requested);
      const list = await eachPage(requested, missing, (page, askedAt, number) => {
        took = page.took;
        pages = Math.max(pages, number);
        const signals = readSignals(page.rows);
        invalidCount += page.rows.length - signals.length;
        rows.polled(signals, timestamp(clock.now()), askedAt);
        for (const { symbol } of signals) {
          missing.delete(symbol);
          found.push(symbol);
        }
      });
      if (!list.ok) {
        dueSymbols.failed();
        return end(list);
      }
      if (invalidCount === 0 && list.value.isWhole) without.push(...missing);
    }
    return end(ok({ took }));
  };
}

/**
 * The symbols that a poll asks for. The simulated market has a new price at a decision alone, and says when the
 * next one is, so that a row which is not due would come back as it is. Other rows are always due.
 */
function createDueSymbols({ context, rows }: SnapshotPollingDeps) {
  const { world } = context;
  let polls = 0;
  const isDue = (row: Row | undefined): boolean =>
    row?.signal?.source !== SIMULATED ||
    row.stale ||
    // Also without an instant.
    !(world.now() < Date.parse(row.signal.next_decision_at ?? ''));
  return {
    take(): readonly string[] {
      const all = [...rows.symbols()];
      const isPart = polls % WHOLE_EVERY !== 0;
      polls += 1;
      if (!isPart) return all;
      const due = all.filter((symbol) => isDue(rows.get(symbol)));
      // The answer also says that the service is there.
      return due.length > 0 ? due : all.slice(0, 1);
    },
    /** The next poll asks for all. */
    failed(): void {
      polls = 0;
    },
  };
}

export const signalReader =
  (vocabulary: Vocabulary) =>
  (rows: readonly unknown[]): RowSignal[] =>
    rows.flatMap((row) => RowSignalSchema.safeParse(normalizeSignal(vocabulary.row(row))).data ?? []);
