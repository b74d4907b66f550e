// Main, core: how long the archive keeps briefings and news.
import { DEFAULT_RETENTION, type Retention } from '../../../shared/channels/archive.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { CoreContext } from '../module.ts';

export interface RetentionPolicy {
  /** The retention that the user set, or the default. */
  read(): Retention;
  /** Items from before these instants expire, world ms; -Infinity: none does. */
  horizon(): { readonly briefings: number; readonly news: number };
}

export function createRetentionPolicy({ ports, world }: CoreContext): RetentionPolicy {
  const read = (): Retention => ports.settings.read().archive?.retention ?? DEFAULT_RETENTION;
  const before = (days: number | null): number =>
    days === null ? Number.NEGATIVE_INFINITY : world.now() - days * DAY_MS;
  return {
    read,
    horizon() {
      const { briefings, news } = read();
      return { briefings: before(briefings), news: before(news) };
    },
  };
}
