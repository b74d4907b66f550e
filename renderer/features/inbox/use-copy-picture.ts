// Renderer: copies the picture of a symbol to the clipboard, and says so in the status bar.
import { useCallback } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';

/** @returns copies; false where there is no symbol */
export function useCopyPicture(): (symbol: string | null) => false | undefined {
  const { intents } = useServices();
  return useCallback(
    (symbol) => {
      if (symbol === null) return false;
      const made = intents.ask('picture.make', { symbol });
      const blob = made.then((answer) => {
        if (!answer.ok) throw new Error(answer.error);
        return new Blob([bytesOf(answer.value.png)], { type: 'image/png' });
      });
      // The clipboard waits for the picture: a browser may write to it only while it handles the key.
      const failed = async (): Promise<void> => {
        const answer = await made;
        noteAct(texts.picture.notCopied(answer.ok ? texts.picture.clipboardRefused : answer.error));
      };
      write(blob).then(() => noteAct(texts.picture.copied(symbol)), failed);
      return undefined;
    },
    [intents],
  );
}

/** Rejects also where the page has no clipboard. */
const write = async (png: Promise<Blob>): Promise<void> => {
  png.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
