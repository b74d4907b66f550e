// Renderer: prints the briefing that is open; the style sheet leaves everything else out. A printer of files makes a PDF of it.

/** @param title becomes the name of the file */
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
