// Client: parses the limit headers of a service, in all known forms (contract 40).

/** Format of X-RateLimit-Reset. */
export type ResetForm = 'epoch_seconds' | 'epoch_ms' | 'seconds';

/** @returns null for an invalid number */
export function resetForm(value: string | null): ResetForm | null {
  const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || number < 0) return null;
  if (number < 1e6) return 'seconds';
  if (number >= 1e12) return 'epoch_ms';
  return number >= 1e9 && number < 1e11 ? 'epoch_seconds' : null;
}

/** ms until the reset. @param now by the service's clock */
export function resetIn(value: string | null, now: number): number {
  const form = resetForm(value);
  const number = Number(value);
  if (form === 'seconds') return number * 1000;
  return form === null ? 0 : Math.max(0, (form === 'epoch_ms' ? number : number * 1000) - now);
}

/** Items of a RateLimit field: `"month";r=4;t=60` gives month: {r: 4, t: 60}. */
export function limitItems(field: string | null): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const items = (field ?? '').split(',').flatMap((item): [string, Record<string, number>][] => {
    const name = /^\s*"([^"]{1,40})"/.exec(item)?.[1];
    if (name === undefined) return [];
    return [
      [
        name,
        Object.fromEntries(
          [...item.matchAll(/;\s*([a-z]+)=(\d{1,15})/g)].map(([, key, value]) => [key ?? '', Number(value)]),
        ),
      ],
    ];
  });
  return new Map(items);
}
