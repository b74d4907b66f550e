// Renderer: a state as a word. High Risk is the only one reversed out of a solid block, so it stays the loudest without colour.
import { type State, stateLabel } from '../../shared/domain/states.ts';

export function StateLabel({ state }: { state: State }) {
  return <span className={`word-${state}`}>{stateLabel(state)}</span>;
}
