// Renderer: gives the user a file; the browser or Electron asks where to save it.

/** @param name including the extension */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun with the click; the address is needed only until the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}

/** A name that is valid on every file system: "Desk list" becomes "desk-list". */
export const fileStem = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.^=-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'barograph';

export const csvBlob = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
export const textBlob = (text: string): Blob => new Blob([text], { type: 'text/plain;charset=utf-8' });
export const jsonBlob = (value: unknown): Blob =>
  new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' });
