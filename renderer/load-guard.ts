// Renderer, before the page's own script: where that, or a style, did not arrive whole, says so and loads it again.
// A script by itself, which imports nothing (vite.config.ts): it must run where the page's code did not come through.

/** Put here by the build. */
declare const NOT_LOADED: import('../shared/text/texts.ts').Texts['common']['notLoaded'];

/** How often in a row the page did not load; a page that loads forgets it. */
const COUNT_KEY = 'barograph-not-loaded';
/** Pause before the page loads again, s: doubled each time. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 30;

let isShown = false;

/** The file that failed; null: the page is neither blank nor bare without it. */
function fileOf(event: Event): string | null {
  const { target } = event;
  if (target instanceof HTMLScriptElement) return target.src;
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') return target.href;
  // A script that ends early does not parse.
  return event instanceof ErrorEvent && event.error instanceof SyntaxError ? event.filename : null;
}

function reasonOf(file: string): string {
  const name = new URL(file).pathname;
  const status = (performance.getEntriesByName(file).at(-1) as PerformanceResourceTiming | undefined)?.responseStatus;
  if (status !== undefined && status >= 400)
    return NOT_LOADED.status.replace('{file}', name).replace('{status}', String(status));
  return NOT_LOADED.cut.replace('{file}', name);
}

/** Loads the page once its address answers; a browser's own page for a lost address would try no more. */
async function load(onFailure: () => void): Promise<void> {
  try {
    if ((await fetch(location.pathname, { cache: 'no-store' })).ok) return location.reload();
  } catch {
    // Its address does not answer.
  }
  onFailure();
}

function show(reason: string): void {
  if (isShown) return;
  isShown = true;
  const count = Number(sessionStorage.getItem(COUNT_KEY) ?? 0);
  sessionStorage.setItem(COUNT_KEY, String(count + 1));
  // Without a style of the page, that of the browser, as the system prefers.
  document.documentElement.style.colorScheme = 'light dark';
  const notice = document.createElement('main');
  notice.setAttribute('role', 'alert');
  const add = (tag: string, text: string): HTMLElement => {
    const element = notice.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };
  add('h1', NOT_LOADED.heading);
  add('p', reason);
  const when = add('p', '');
  const button = add('button', NOT_LOADED.now);
  document.body.replaceChildren(notice);

  let timer = 0;
  const wait = (pause: number): void => {
    clearTimeout(timer);
    when.textContent = NOT_LOADED.again.replace('{seconds}', String(pause));
    timer = window.setTimeout(() => void load(() => wait(Math.min(2 * pause, LONGEST_PAUSE))), pause * 1_000);
  };
  button.addEventListener('click', () => void load(() => wait(FIRST_PAUSE)));
  wait(Math.min(FIRST_PAUSE * 2 ** count, LONGEST_PAUSE));
}

/** In the capturing phase, because an error of a file does not bubble. */
function onError(event: Event): void {
  const file = fileOf(event);
  if (file !== null) whenParsed(() => show(reasonOf(file)));
}

/** A style fails before the page has a body. */
function whenParsed(job: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', job);
  else job();
}

window.addEventListener('error', onError, true);
// From here on the page runs, and says itself what else did not load.
window.addEventListener('load', () => {
  window.removeEventListener('error', onError, true);
  if (document.getElementById('root') === null) show(reasonOf(location.href));
  if (!isShown) sessionStorage.removeItem(COUNT_KEY);
});
