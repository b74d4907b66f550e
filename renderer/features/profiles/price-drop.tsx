// Renderer, profiles: price files that are chosen or dropped: sent in parts, kept in a folder of the data folder.
import { type DragEvent, useRef, useState } from 'react';
import { PART_CHARACTERS } from '../../../shared/channels/profiles.ts';
import { PRICE_FILE_NAME } from '../../../shared/domain/price-file-names.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
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
  const say = (text: string): void => setState({ text, isOver: false });
  const take = async (files: readonly File[]): Promise<void> => {
    const fit = files.filter(({ name }) => PRICE_FILE_NAME.test(name));
    const left = files.filter((file) => !fit.includes(file)).map(({ name }) => name);
    let folder = '';
    const names = new Set<string>();
    for (const file of fit) {
      say(messages.copying(file.name));
      const kept = await keep(intents, set, file, freeName(file.name, names));
      if (!kept.ok) return say(kept.error);
      folder = kept.value;
    }
    say(left.length === 0 ? '' : messages.leftOut(left));
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
        void filesOf(event.dataTransfer)
          .then(take)
          .catch((error) => say(messageOf(error)));
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
          void take([...(currentTarget.files ?? [])]).catch((error) => say(messageOf(error)));
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

/** The name, or "AAPL (1).csv" where another folder that was dropped with it has an AAPL.csv, in any case. */
function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let copy = 1; names.has(free.toLowerCase()); copy += 1)
    free = name.replace(/\.\w+(\.gz)?$/i, (ending) => ` (${copy})${ending}`);
  names.add(free.toLowerCase());
  return free;
}

/** Names a file that cannot be read, such as one that another program has open. */
const unread =
  (name: string) =>
  (error: unknown): never => {
    throw new Error(messages.unread(name, messageOf(error)));
  };

/** Sends a file in parts. @returns its folder, or why it was not kept */
async function keep(
  intents: Pick<Intents, 'ask'>,
  set: string,
  file: File,
  name: string,
): Promise<Result<string, string>> {
  let folder = '';
  for (let from = 0; from === 0 || from < file.size; from += PART_BYTES) {
    const bytes = await file
      .slice(from, from + PART_BYTES)
      .arrayBuffer()
      .catch(unread(file.name));
    const part = { set, name, data: base64Of(new Uint8Array(bytes)), isFirst: from === 0 };
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
  const asked = <Value,>(ask: (resolve: (value: Value) => void, reject: (error: unknown) => void) => void) =>
    new Promise<Value>(ask).catch(unread(entry.name));
  if (entry.isFile) return [await asked<File>((...ends) => (entry as FileSystemFileEntry).file(...ends))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  // A reader gives a hundred entries at a time.
  for (;;) {
    const some = await asked<FileSystemEntry[]>((...ends) => reader.readEntries(...ends));
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.filter(({ isFile }) => isFile).map(filesIn))).flat());
    // A folder inside is not copied, and is named as what is not.
    found.push(...some.filter(({ isFile }) => !isFile).map(({ name }) => new File([], `${name}/`)));
  }
}
