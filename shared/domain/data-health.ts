// Pure: the health of the prices behind a signal, and their faults other than age.

export const DATA_HEALTH = [
  'current',
  'stale',
  'delayed',
  'halted',
  'gap',
  'question',
  'quarantined',
  'unlisted',
] as const;

type DataHealth = (typeof DATA_HEALTH)[number];
export type PriceFaultKind = Exclude<DataHealth, 'current' | 'stale'>;

/** null: no fault, no report by the service, or no signal. */
export function priceFaultOf(signal: { readonly data_health?: DataHealth | undefined } | null): PriceFaultKind | null {
  const health = signal?.data_health;
  return health === undefined || health === 'current' || health === 'stale' ? null : health;
}
