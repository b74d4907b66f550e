// Renderer: single keys are commands only while nobody writes, no dialog or menu is open, and the user has not turned them off.
import { preferences } from '../store/preferences.ts';

/** Where keys write something; a box that is ticked is no such place. */
const WRITTEN = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

/** True when a key without Ctrl, Cmd or Alt is meant as a command. */
export function isCommand(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !preferences.read().singleKeys) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return !target.isContentEditable && !target.matches(WRITTEN) && target.closest('dialog, [role="menu"]') === null;
}
