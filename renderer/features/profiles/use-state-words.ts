// Renderer, profiles: the service's words for states that Barograph does not know, of watched symbols and alerts.
import type { CoreSnapshot } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';

const SEPARATOR = '\n';

/** Each once, sorted; equal ones render nothing again. */
export const useStateWords = (): string[] =>
  useSnapshot(joined)
    .split(SEPARATOR)
    .filter((word) => word !== '');

function joined({ rows, alerts }: CoreSnapshot): string {
  const words = [
    ...Object.values(rows).map(({ signal }) => signal?.state_word),
    ...alerts.map(({ transition }) => transition.state_word),
  ];
  return [...new Set(words.filter((word) => word !== undefined))].sort().join(SEPARATOR);
}
