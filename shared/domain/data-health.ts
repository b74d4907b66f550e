// Pure: how good the prices behind a signal are, and what is wrong with them other than their age.

export const DATA_HEALTH = ['current', 'stale', 'delayed', 'halted', 'gap', 'quarantined', 'unlisted'] as const;

type DataHealth = (typeof DATA_HEALTH)[number];
export type PriceFaultKind = Exclude<DataHealth, 'current' | 'stale'>;

/** null where the service says that nothing is, says nothing, or has no signal. */
export function priceFaultOf(signal: { readonly data_health?: DataHealth | undefined } | null): PriceFaultKind | null {
  const health = signal?.data_health;
  return health === undefined || health === 'current' || health === 'stale' ? null : health;
}
