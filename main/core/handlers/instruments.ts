// Main, core: reads the instruments that the service has signals of, with their names, for search.
import type { Client, Page } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Instruments } from '../../../shared/channels/queries.ts';
import { cachedRead } from '../../../shared/lib/cached-read.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { AssetClassSchema } from '../../../shared/wire/records.ts';
import { isFields, label, symbol } from '../compat/fields.ts';
import { cannotShow } from '../compat/refusals.ts';
import { LATER } from '../sources/regime-polling.ts';

/** Instruments come and go rarely, and every page counts against the quota. */
const GOOD_FOR_MS = HOUR_MS;
const PAGE_SIZE = 100;
/** A service may list thousands; instruments beyond this are found by their exact symbol. */
const MAX_PAGES = 60;

export interface InstrumentOptions {
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
  readonly clock: Clock;
}

/** @returns the reader; concurrent calls share one read. @throws RefusedError with the service's message */
export function createInstrumentReader({ client, mayAsk, clock }: InstrumentOptions): () => Promise<Instruments> {
  const ask = async (more: {
    readonly include?: ['stale'];
    readonly after?: string;
  }): Promise<Result<Page, ServiceProblem> | null> =>
    mayAsk() ? client.page('snapshot', { query: { limit: PAGE_SIZE, ...more } }) : null;
  const readAll = async (): Promise<Instruments> => {
    const found = new Map<string, Instruments['instruments'][number]>();
    const seen = new Set<string | null>();
    let after: string | null = null;
    // Symbols whose prices ended have a last signal, and can be watched.
    let include: { readonly include?: ['stale'] } = { include: ['stale'] };
    for (let page = 0; page < MAX_PAGES; page += 1) {
      let answer = await ask({ ...include, ...(after === null ? {} : { after }) });
      if (answer?.ok === false && page === 0 && !LATER.has(answer.error.kind)) {
        // A service that refuses the parameter has no such symbols.
        include = {};
        answer = await ask({});
      }
      if (answer?.ok !== true) throw cannot(answer?.error ?? null);
      for (const row of answer.value.rows) {
        const one = instrumentOf(row);
        if (one !== null) found.set(one.symbol, one);
      }
      seen.add(after);
      after = answer.value.nextCursor;
      if (!answer.value.hasMore || after === null) return { instruments: [...found.values()], is_whole: true };
      if (seen.has(after)) break;
    }
    return { instruments: [...found.values()], is_whole: false };
  };
  return cachedRead(clock, GOOD_FOR_MS, readAll);
}

const cannot = (problem: ServiceProblem | null) => cannotShow(message('data.instruments'), null, problem);

function instrumentOf(row: unknown): Instruments['instruments'][number] | null {
  if (!isFields(row)) return null;
  const named = symbol(row.symbol);
  if (named === null) return null;
  return {
    symbol: named,
    name: label(row.name),
    asset_class: AssetClassSchema.safeParse(row.asset_class).data ?? null,
  };
}
