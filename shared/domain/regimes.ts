// Pure: the model's own regime names (docs/contract.md: "Regimes").
// Other services may use other names; those are data, never an error.

export const REGIMES = ['calm_uptrend', 'volatile_uptrend', 'calm_downtrend', 'volatile_downtrend', 'stress'] as const;
export type Regime = (typeof REGIMES)[number];

/** Steps of time of a regime's history. */
export const GRANULARITIES = ['day', 'hour', 'minute'] as const;

const LABELS: Readonly<Record<Regime, string>> = {
  calm_uptrend: 'Calm Uptrend',
  volatile_uptrend: 'Volatile Uptrend',
  calm_downtrend: 'Calm Downtrend',
  volatile_downtrend: 'Volatile Downtrend',
  stress: 'Stress',
};

export const isRegime = (name: string): name is Regime => Object.hasOwn(LABELS, name);

/** Label of a regime. An unknown name becomes words, capitalised. */
export function regimeLabel(name: string): string {
  if (isRegime(name)) return LABELS[name];
  return name.replaceAll(/[_-]+/g, ' ').replaceAll(/\b\p{Ll}/gu, (letter) => letter.toUpperCase());
}
