// Renderer: prints the open briefing; the style sheet hides all else.

/** @param title becomes the file name of a PDF */
export function printBriefing(title: string, sandbox: boolean): void {
  const before = document.title;
  document.title = `${sandbox ? '[SANDBOX] ' : ''}${title}`;
  window.addEventListener(
    'afterprint',
    () => {
      document.title = before;
    },
    { once: true },
  );
  window.print();
}
