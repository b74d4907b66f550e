// Renderer: the label of a state.
// Only High Risk is on a solid block, so that it is the most visible.
import { type State, writtenState } from '../../shared/domain/states.ts';

/** @param word the service's own, where it is not known */
export function StateLabel({ state, word }: { state: State; word?: string | undefined }) {
  return <span className={`word-${state}`}>{writtenState(state, word)}</span>;
}
