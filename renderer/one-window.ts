// Renderer: lets one of the windows in this browser do what all of them are asked to do.

/** How long the window keeps the name, ms: until the other windows have asked for it. */
const HOLD_MS = 3_000;

/** Runs the job in one of the windows that call this with the same name. */
export async function inOneWindow(name: string, job: () => unknown): Promise<void> {
  await navigator.locks.request(`barograph ${name}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await job();
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
  });
}
