// Bench, runs in the page: how long an event takes to the screen, and how long a bare message takes beside it. Serialised into the page, so it imports
// nothing. Times are Date.now() of this computer, which the service and the bare server share.

export interface ProbeReport {
  /** ms from the event, as the service dated it, to the paint of its row. */
  readonly product: number[];
  /** ms from the sending of a bare message to the paint of what it says. */
  readonly floor: number[];
}

/** Looks at what the page's own socket brings, and when the rows say so; and listens to a bare socket at `port`. */
export function installProbe(port: number): void {
  const report: { product: number[]; floor: number[] } = { product: [], floor: [] };
  Object.assign(window, { probeReport: () => ({ product: report.product.splice(0), floor: report.floor.splice(0) }) });
  const words = ['Normal', 'Elevated', 'High Risk'];
  /** What each row is to say next, and since when that is known. */
  const awaited = new Map<string, { readonly at: number; readonly word: string }>();
  let bareAwaited: number[] = [];

  const Original = window.WebSocket;
  const listen = (event: MessageEvent): void => {
    const frame = JSON.parse(String(event.data));
    if (frame.name !== 'state.changed') return;
    for (const change of frame.payload.changes) {
      if (change.part !== 'alerts') continue;
      for (const { transition } of change.alerts) {
        const at = Date.parse(transition.occurred_at);
        const known = awaited.get(transition.symbol);
        if (known === undefined || known.at < at) awaited.set(transition.symbol, { at, word: words[transition.to_state] ?? '' });
      }
    }
  };
  window.WebSocket = class extends Original {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      if (String(address).includes('/link')) this.addEventListener('message', listen);
    }
  };

  const painted = (): void => {
    const now = Date.now();
    for (const sent of bareAwaited) report.floor.push(now - sent);
    bareAwaited = [];
  };
  const { port1, port2 } = new MessageChannel();
  let due: number[] = [];
  port1.onmessage = () => {
    const now = Date.now();
    for (const at of due) report.product.push(now - at);
    due = [];
    painted();
  };
  // Runs after the frame's own work, which was asked for before it; what the rows say now is what this frame paints.
  const afterWork = (): void => {
    for (const [symbol, { at, word }] of awaited) {
      const name = document.querySelector(`tr.wl-row[data-symbol="${symbol}"]`)?.getAttribute('aria-label');
      if (name?.startsWith(`${symbol}, ${word}`) !== true) continue;
      awaited.delete(symbol);
      due.push(at);
    }
    port2.postMessage(0);
    requestAnimationFrame(() => queueMicrotask(afterWork));
  };
  requestAnimationFrame(afterWork);

  const bare = new Original(`ws://127.0.0.1:${port}`);
  bare.onmessage = ({ data }) => {
    const sent = Number(data);
    requestAnimationFrame(() => {
      document.documentElement.dataset.bare = String(sent);
      bareAwaited.push(sent);
    });
  };
}
