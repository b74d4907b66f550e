// Renderer: a text that the user reviews before copying it or saving it as a file.
import { useRef, useState } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { Dialog } from './dialog.tsx';
import { saveFile, textBlob } from './save-file.ts';
import './text-dialog.css';

interface TextDialogProps {
  readonly heading: string;
  /** A note of one line, above the text. */
  readonly note: string;
  readonly text: string;
  /** Name of the file, with its extension. */
  readonly file: string;
  readonly onClose: () => void;
}

export function TextDialog({ heading, note, text, file, onClose }: TextDialogProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    // If the page may not write to the clipboard, the user can copy the selection.
    area.current?.select();
    setSaid((await copyText(text)) ? texts.common.text.copied : texts.common.text.copyByHand);
  };
  return (
    <Dialog heading={heading} className="text-dialog" onClose={onClose}>
      <p className="t2">{note}</p>
      <textarea ref={area} className="field" readOnly value={text} aria-label={heading} spellCheck={false} />
      <div className="dialog-actions">
        <output className="grow t2">{said}</output>
        <button type="button" className="btn line" onClick={onClose}>
          {texts.common.close}
        </button>
        <button type="button" className="btn line" onClick={() => void copy()}>
          {texts.common.text.copy}
        </button>
        <button type="button" className="btn primary" onClick={() => saveFile(file, textBlob(text))}>
          {texts.common.text.save}
        </button>
      </div>
    </Dialog>
  );
}

/** @returns false where the page may not write to the clipboard */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
