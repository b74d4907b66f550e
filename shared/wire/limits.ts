// Pure: plans and their rate limits.
import { z } from 'zod';

export const PLANS = ['pro', 'desk', 'institutional'] as const;
export type Plan = (typeof PLANS)[number];
export const PLAN_LABELS: Readonly<Record<Plan, string>> = { pro: 'Pro', desk: 'Desk', institutional: 'Institutional' };

export interface PlanTerms {
  /** Calls in a calendar month (UTC); null: no quota. */
  readonly monthly: number | null;
  /** Depth of the bucket: calls that may arrive at once. */
  readonly burst: number;
  /** Refill of the bucket, calls per minute. */
  readonly sustained: number;
  /** Calls per minute to /api/archetypes/current. */
  readonly archetypes: number;
}

/** Institutional depends on a contract; these are the defaults. */
const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  pro: { monthly: 250_000, burst: 10, sustained: 1_000, archetypes: 100 },
  desk: { monthly: 1_000_000, burst: 50, sustained: 5_000, archetypes: 500 },
  institutional: { monthly: null, burst: 200, sustained: 20_000, archetypes: 2_000 },
};

const CountSchema = z.int().min(1).max(1_000_000_000);
/** Deviations of an Institutional contract. */
export const ContractSchema = z
  .strictObject({ monthly: CountSchema, burst: CountSchema, sustained: CountSchema, archetypes: CountSchema })
  .partial();
export type Contract = z.infer<typeof ContractSchema>;

export const termsOf = (plan: Plan, contract: Contract | null = null): PlanTerms => {
  const terms = PLAN_TERMS[plan];
  return plan !== 'institutional' || contract === null
    ? terms
    : {
        monthly: contract.monthly ?? terms.monthly,
        burst: contract.burst ?? terms.burst,
        sustained: contract.sustained ?? terms.sustained,
        archetypes: contract.archetypes ?? terms.archetypes,
      };
};

/** Calls per minute and key to each endpoint that is not in the table. */
const DEFAULT_MINUTE_LIMIT = 100;
const MINUTE_LIMITS: ReadonlyMap<string, number> = new Map([
  ['/snapshot', 1_000],
  ['/factors', 1_000],
]);
const ARCHETYPES_PATH = '/api/archetypes/current';

/** Calls per minute and key to the endpoint with this path. */
export const minuteLimit = (path: string, terms: PlanTerms): number =>
  path === ARCHETYPES_PATH ? terms.archetypes : (MINUTE_LIMITS.get(path) ?? DEFAULT_MINUTE_LIMIT);
