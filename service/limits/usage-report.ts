// Service, limits: builds a report of the calls of an account in a month.
import { z } from 'zod';
import type { Usage } from '../../shared/wire/account.ts';
import { PLANS, termsOf } from '../../shared/wire/limits.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { NewAccount } from '../store/api-key-store.ts';
import type { Store } from '../store/store.ts';
import { type Month, monthOf } from './quota.ts';

/** Default terms of a service, for accounts without their own. Stored for the command line. */
const DefaultTermsSchema = z.object({
  plan: z.enum(PLANS),
  hardCap: z.boolean(),
  /** False where calls are free. */
  counted: z.boolean(),
});
export type DefaultTerms = z.infer<typeof DefaultTermsSchema>;

export function storeDefaultTerms(
  { meta, setMeta, transaction }: Pick<Store, 'meta' | 'setMeta' | 'transaction'>,
  terms: DefaultTerms,
): void {
  const text = JSON.stringify(terms);
  if (meta('default_terms') !== text) transaction(() => setMeta('default_terms', text));
}

/** The default terms of the last start; for a store of an older version, the terms without flags. */
export function readDefaultTerms({ meta }: Pick<Store, 'meta'>): DefaultTerms {
  const text = meta('default_terms');
  return text === null ? { plan: 'pro', hardCap: false, counted: true } : DefaultTermsSchema.parse(JSON.parse(text));
}

/** @param name 2026-03 */
export const monthNamed = (name: string): Month => monthOf(Date.parse(`${name}-01T00:00:00Z`));

export function usageReport(account: NewAccount, month: Month, calls: number, terms: DefaultTerms): Usage {
  const plan = account.plan ?? terms.plan;
  const quota = termsOf(plan, account.contract).monthly;
  return {
    account: account.id,
    month: month.name,
    from: timestamp(month.begin),
    to: timestamp(month.end),
    plan,
    quota,
    calls,
    overage: quota === null ? 0 : Math.max(0, calls - quota),
    hard_cap: account.hardCap || terms.hardCap,
    counted: terms.counted,
  };
}
