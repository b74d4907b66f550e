// Renderer: a state as a word.
// High Risk alone is on a solid block, and so is the most visible.
import { type State, stateLabel } from '../../shared/domain/states.ts';

export function StateLabel({ state }: { state: State }) {
  return <span className={`word-${state}`}>{stateLabel(state)}</span>;
}
