// Renderer, pure: single keys are commands only while nobody writes.

/** True when the event comes from a field that takes text. */
export function isTyping(event: Event): boolean {
  const target = event.target;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
