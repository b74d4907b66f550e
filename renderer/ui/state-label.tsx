// Renderer: a state as a word; High Risk is the only one on a solid block, so it is the most visible.
import { type State, stateLabel } from '../../shared/domain/states.ts';

export function StateLabel({ state }: { state: State }) {
  return <span className={`word-${state}`}>{stateLabel(state)}</span>;
}
