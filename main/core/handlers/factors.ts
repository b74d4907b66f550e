// Main, core: reads the powers of a symbol's dimensions: now, and by day for two years.
import { type Client, readList } from '../../../client/client.ts';
import type { FactorPage, FactorSheet } from '../../../shared/channels/queries.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { instant, isFields } from '../compat/fields.ts';
import { readFactors, readPowers } from '../compat/read-factors.ts';
import { cannotShow, notUnderstood } from '../compat/refusals.ts';

export interface FactorOptions {
  readonly client: Pick<Client, 'read'>;
  readonly mayAsk: () => boolean;
  /** World time, ms, for a sheet without a time of its own. */
  readonly now: () => number;
}

export interface FactorReader {
  /** @throws RefusedError with the service's message */
  read(symbol: string): Promise<FactorSheet>;
  /** A page of days, oldest first. @throws RefusedError likewise */
  page(ask: { readonly symbol: string; readonly from: string; readonly after: string | null }): Promise<FactorPage>;
}

export function createFactorReader({ client, mayAsk, now }: FactorOptions): FactorReader {
  return {
    async read(symbol) {
      const what = message('data.factors', { symbol });
      const answer = mayAsk() ? await client.read('factors', { query: { symbol } }) : null;
      // A service without /factors may still have /dimensions alone.
      const given =
        answer?.ok === false && answer.error.kind === 'not_found'
          ? await client.read('archetypes', { query: { symbol } })
          : answer;
      if (given?.ok !== true) throw cannotShow(what, symbol, given?.error ?? null);
      const { value } = given.value;
      const factors = readFactors(value);
      if (factors === null) throw notUnderstood(what);
      return { symbol, at: (isFields(value) ? instant(value.timestamp) : null) ?? timestamp(now()), factors };
    },
    async page({ symbol, from, after }) {
      const what = message('data.factor_history', { symbol });
      const query = { symbol, from, limit: 100, ...(after === null ? {} : { after }) };
      const answer = mayAsk() ? await client.read('factors', { query }) : null;
      if (answer?.ok !== true) throw cannotShow(what, symbol, answer?.error ?? null);
      const listed = readList(answer.value.value, 'factors');
      if (listed === null) throw notUnderstood(what);
      return { symbol, points: listed.rows.flatMap(pointOf), next: listed.hasMore ? listed.nextCursor : null };
    },
  };
}

function pointOf(row: unknown): FactorPage['points'] {
  const at = isFields(row) ? instant(row.timestamp ?? row.date) : null;
  const powers = readPowers(row);
  return at === null || powers === null ? [] : [{ at, powers }];
}
