// Renderer: runs a job once no pointer button is down, so that a message moves nothing under it.
let isPressed = false;

for (const kind of ['pointerdown', 'pointerup', 'pointercancel'] as const)
  window.addEventListener(
    kind,
    () => {
      isPressed = kind === 'pointerdown';
    },
    true,
  );

export function afterPress(job: () => void): void {
  if (isPressed) window.addEventListener('pointerup', () => setTimeout(job), { once: true });
  else job();
}
