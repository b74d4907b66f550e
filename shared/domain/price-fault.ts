// Pure: what is wrong with the prices behind a signal, other than their age.
import type { DATA_HEALTH } from '../wire/records.ts';

type DataHealth = (typeof DATA_HEALTH)[number];
export type PriceFaultKind = Exclude<DataHealth, 'current' | 'stale'>;

/** null where the service says that nothing is, says nothing, or has no signal. */
export function priceFaultOf(signal: { readonly data_health?: DataHealth | undefined } | null): PriceFaultKind | null {
  const health = signal?.data_health;
  return health === undefined || health === 'current' || health === 'stale' ? null : health;
}
