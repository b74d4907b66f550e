// Renderer: the schemas of the channels, which load later than the window draws.
import type { ChannelSource, Table } from '../../shared/channels/ends.ts';

/**
 * @param load is called once, for the first channel that is not one of `first`
 * @param first are used without their schemas until then
 * @param onFailed the schemas did not load: every channel is used without
 */
export function lateChannels<T extends Table>(
  load: () => Promise<T>,
  first: readonly (keyof T)[],
  onFailed: () => void,
): ChannelSource<T> {
  let table: T | null = null;
  let loading: Promise<void> | null = null;
  return (name) => {
    if (table !== null) return table[name];
    if (first.includes(name)) return null;
    loading ??= load().then((loaded) => {
      table = loaded;
    }, onFailed);
    return loading.then(() => table?.[name] ?? null);
  };
}
