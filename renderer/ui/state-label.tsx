// Renderer: the label of a state.
// Only High Risk is on a solid block, so that it is the most visible.
import { type State, stateLabel } from '../../shared/domain/states.ts';

export function StateLabel({ state }: { state: State }) {
  return <span className={`word-${state}`}>{stateLabel(state)}</span>;
}
