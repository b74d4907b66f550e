// Renderer, profiles: price files that are chosen or dropped: sent in parts, kept in a folder of the data folder.
import { type DragEvent, useRef, useState } from 'react';
import { PART_CHARACTERS } from '../../../shared/channels/profiles.ts';
import { PRICE_FILE_NAME } from '../../../shared/domain/price-file-names.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Intents } from '../../link/intents.ts';
import { useServices } from '../../services.ts';

const messages = texts.ownPrices;
/** Three bytes are four characters. */
const PART_BYTES = (PART_CHARACTERS / 4) * 3;
const AT_ONCE = 8_192;

interface PriceDropProps {
  /** Receives the folder in which the files lie. */
  readonly onFolder: (folder: string) => void;
}

export function PriceDrop({ onFolder }: PriceDropProps) {
  const { intents, clock } = useServices();
  const input = useRef<HTMLInputElement>(null);
  /** Files that are added later lie in the same folder. */
  const [set] = useState(() => `prices-${new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14)}`);
  const [state, setState] = useState<{ readonly text: string; readonly isOver: boolean }>({ text: '', isOver: false });
  const take = async (files: readonly File[]): Promise<void> => {
    const fit = files.filter(({ name }) => PRICE_FILE_NAME.test(name));
    const left = files.filter((file) => !fit.includes(file)).map(({ name }) => name);
    let folder = '';
    for (const file of fit) {
      setState({ text: messages.copying(file.name), isOver: false });
      const kept = await keep(intents, set, file);
      if (!kept.ok) return setState({ text: kept.error, isOver: false });
      folder = kept.value;
    }
    setState({ text: left.length === 0 ? '' : messages.leftOut(left), isOver: false });
    if (folder !== '') onFolder(folder);
  };
  const over = (event: DragEvent, isOver: boolean): void => {
    event.preventDefault();
    setState((now) => ({ ...now, isOver }));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same without a pointer.
    <div
      className={state.isOver ? 'price-drop over' : 'price-drop'}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        void filesOf(event.dataTransfer).then(take);
      }}
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".csv,.txt,.tsv,.gz,.zip,.xlsx,.xls"
        aria-label={messages.choose}
        onChange={({ currentTarget }) => {
          void take([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <button type="button" className="btn" onClick={() => input.current?.click()}>
        {messages.choose}
      </button>
      <span className="t2" role="status">
        {state.text === '' ? messages.drop : state.text}
      </span>
    </div>
  );
}

/** Sends a file in parts. @returns its folder, or why it was not kept */
async function keep(intents: Pick<Intents, 'ask'>, set: string, file: File): Promise<Result<string, string>> {
  let folder = '';
  for (let from = 0; from === 0 || from < file.size; from += PART_BYTES) {
    const bytes = new Uint8Array(await file.slice(from, from + PART_BYTES).arrayBuffer());
    const part = { set, name: file.name, data: base64Of(bytes), isFirst: from === 0 };
    const answer = await intents.ask('profiles.keep_price_file', part);
    if (!answer.ok) return err(answer.error);
    folder = answer.value.folder;
  }
  return ok(folder);
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  return btoa(text);
}

/** The files that were dropped, and those of folders. */
async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...(items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return [...files];
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  // A reader gives a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.filter(({ isFile }) => isFile).map(filesIn))).flat());
    // A folder inside is not copied, and is named as what is not.
    found.push(...some.filter(({ isFile }) => !isFile).map(({ name }) => new File([], `${name}/`)));
  }
}
