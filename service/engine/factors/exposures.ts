// Service, engine: betas of a symbol's dimensions to those of the market.
import { emptyPowers, FACTOR_CODES, type Powers } from '../../../shared/domain/factors.ts';

const SPAN = 252;
const LEAST = 126;

/**
 * Beta of each dimension to the same dimension of the market proxy, over the last year of common days: 1
 * moves with the market one to one, 0 is independent. null with fewer than 126 common days, or when the
 * market's dimension was constant.
 * @param own powers of the symbol, and of the market on the same days, oldest first
 */
export function exposuresOf(own: readonly Powers[], market: readonly Powers[]): Powers {
  const from = Math.max(0, own.length - SPAN);
  const betas = emptyPowers();
  for (const code of FACTOR_CODES) {
    const pairs: [number, number][] = [];
    for (let t = from; t < own.length; t++) {
      const x = market[t]?.[code] ?? null;
      const y = own[t]?.[code] ?? null;
      if (x !== null && y !== null) pairs.push([x, y]);
    }
    betas[code] = slope(pairs);
  }
  return betas;
}

function slope(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < LEAST) return null;
  const meanX = pairs.reduce((sum, [x]) => sum + x, 0) / pairs.length;
  const meanY = pairs.reduce((sum, [, y]) => sum + y, 0) / pairs.length;
  let xy = 0;
  let xx = 0;
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
  }
  return xx > 0 ? xy / xx : null;
}
