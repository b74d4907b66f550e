// Bench, in the page: measures the time from an event to the screen, beside that of a bare message.
// Serialised into the page, so it imports nothing. Times are Date.now() of this computer, which the service and
// the bare server share.

export interface ProbeReport {
  /** ms from the event, as the service dated it, to the paint of its row. */
  readonly product: number[];
  /** ms from the sending of a bare message to the paint of its text. */
  readonly floor: number[];
}

/** Looks at what the page's own socket brings, and when the rows say so; and listens to a bare socket at `port`. */
export function installProbe(port: number): void {
  const report: { product: number[]; floor: number[] } = { product: [], floor: [] };
  Object.assign(window, { probeReport: () => ({ product: report.product.splice(0), floor: report.floor.splice(0) }) });
  /** What happened before this page was there is not awaited by it. */
  const begun = Date.now();
  const labels = ['Normal', 'Elevated', 'High Risk'];
  /**
   * The next text of each row, and the times of the events not shown yet: a row that shows a newer one is
   * past them.
   */
  const awaited = new Map<string, { readonly since: readonly number[]; readonly word: string }>();
  /** The newest event of each symbol. An alert that is pushed again, because something became of it, is no event. */
  const newest = new Map<string, number>();
  let bareAwaited: number[] = [];

  const Original = window.WebSocket;
  const listen = (event: MessageEvent): void => {
    const frame = JSON.parse(String(event.data));
    if (frame.name !== 'state.changed') return;
    for (const change of frame.payload.changes) {
      if (change.part !== 'alerts') continue;
      // They come newest first.
      for (const { transition } of [...change.alerts].reverse()) {
        const { symbol, to_state: state } = transition;
        const at = Date.parse(transition.occurred_at);
        if (at <= (newest.get(symbol) ?? begun)) continue;
        newest.set(symbol, at);
        awaited.set(symbol, { since: [...(awaited.get(symbol)?.since ?? []), at], word: labels[state] ?? '' });
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
  let due: number[] = [];
  /** A row that shows its expected text now is part of the current frame. */
  const checkRows = (): void => {
    for (const [symbol, { since, word }] of awaited) {
      const name = document.querySelector(`tr.wl-row[data-row="${symbol}"]`)?.getAttribute('aria-label');
      if (name?.startsWith(`${symbol}, ${word}`) !== true) continue;
      awaited.delete(symbol);
      due.push(...since);
    }
  };
  // A message sent during a frame arrives after it.
  const { port1, port2 } = new MessageChannel();
  let isMakingFrame = false;
  port1.onmessage = () => {
    isMakingFrame = false;
    const now = Date.now();
    for (const at of due) report.product.push(now - at);
    due = [];
    painted();
  };
  // This is the frame's first work: it finds what tasks before it changed. What the frame itself changes after that is observed.
  const begin = (): void => {
    isMakingFrame = true;
    checkRows();
    port2.postMessage(0);
    requestAnimationFrame(begin);
  };
  requestAnimationFrame(begin);
  new MutationObserver(() => {
    if (isMakingFrame) checkRows();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-label'] });

  const bare = new Original(`ws://127.0.0.1:${port}`);
  bare.onmessage = ({ data }) => {
    const sent = Number(data);
    requestAnimationFrame(() => {
      document.documentElement.dataset.bare = String(sent);
      bareAwaited.push(sent);
    });
  };
}
