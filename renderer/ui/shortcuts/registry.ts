// Renderer: the one keydown listener of the document; runs the shortcuts of mounted components.
import { preferences } from '../../store/preferences.ts';
import { bindingsOf, type CommandOf, type Group } from './shortcuts.ts';

/**
 * Returns false if the shortcut does not apply now; then the next registration is called, or the browser
 * acts.
 */
export type Action = (event: KeyboardEvent) => unknown;
export type Actions<Of extends Group> = { readonly [Command in CommandOf<Of>]?: Action };

interface Registration {
  readonly actionsOf: () => Readonly<Record<string, Action | undefined>>;
  readonly bindings: ReturnType<typeof bindingsOf>;
}

/** The newest first: the last mounted component is called first. */
let registrations: readonly Registration[] = [];
/** The first key of a sequence, just pressed; else empty. */
let pending = '';

/** @param actionsOf called at each key press. @returns removes the registration */
export function register<Of extends Group>(group: Of, actionsOf: () => Actions<Of>): () => void {
  const registration: Registration = { actionsOf, bindings: bindingsOf(group) };
  if (registrations.length === 0) document.addEventListener('keydown', onKeyDown);
  registrations = [registration, ...registrations];
  return () => {
    registrations = registrations.filter((each) => each !== registration);
    if (registrations.length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

function onKeyDown(event: KeyboardEvent): void {
  const before = pending;
  pending = '';
  if (event.defaultPrevented || event.isComposing || event.altKey || !isAllowed(event)) return;
  const key = keyOf(event);
  if (before !== '' && run(`${before} ${key}`, event)) return;
  if (run(key, event)) return;
  if (bindings().some((keys) => keys.startsWith(`${key} `))) pending = key;
}

function run(key: string, event: KeyboardEvent): boolean {
  for (const { bindings: own, actionsOf } of registrations) {
    const command = own.find(({ keys }) => keys.includes(key))?.command;
    const action = command === undefined ? undefined : actionsOf()[command];
    if (action === undefined || action(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

const bindings = (): readonly string[] => registrations.flatMap(({ bindings: own }) => own.flatMap(({ keys }) => keys));

function keyOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  if (ctrlKey || metaKey) return `Ctrl+${shiftKey ? 'Shift+' : ''}${key.toLowerCase()}`;
  if (shiftKey && key === ' ') return 'Shift+ ';
  // Caps Lock changes the case of the key that the browser reports.
  if (key.length === 1) return shiftKey ? key.toUpperCase() : key.toLowerCase();
  return key;
}

/** Escape belongs to an open dialog or menu; a shortcut with Ctrl decides for itself. */
const isAllowed = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || (event.key === 'Escape' ? !isInPopup(event) : isCommand(event));

/** Elements in which keys type text; check boxes and sliders are excluded. */
const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select';

export const isWriting = ({ target }: Pick<Event, 'target'>): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));

export const isInPopup = ({ target }: Pick<Event, 'target'>): boolean =>
  target instanceof Element && target.closest('dialog, [role="menu"]') !== null;

/** True if a key without Ctrl, Cmd or Alt is a command; the user can turn single keys off. */
export const isCommand = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  preferences.read().singleKeys &&
  !isWriting(event) &&
  !isInPopup(event);
