// Renderer: saves a watchlist as a file, from its menu or the palette.
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { lazyModules } from '../../lazy-modules.ts';
import { csvBlob, fileStem, saveFile, textBlob } from '../../ui/save-file.ts';
import type { ListFormat } from './list-file.ts';

const listFiles = lazyModules.add(() => import('./list-file.ts'));

/** Loads the code for list files; reports a failure and returns null. */
export async function loadListFiles(say: (message: string) => void) {
  await listFiles.load();
  const loading = listFiles.read();
  if (loading.status === 'ready') return loading.code;
  say(texts.common.lazy.dialogFailed(texts.common.lazy.listFiles));
  return null;
}

export async function saveList(list: Watchlist, format: ListFormat, say: (message: string) => void): Promise<void> {
  const text = (await loadListFiles(say))?.writeList(list, format);
  if (text === undefined) return;
  saveFile(`${fileStem(list.name)}.${format}`, format === 'csv' ? csvBlob(text) : textBlob(text));
}
