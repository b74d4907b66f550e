// Renderer: the actions of the palette: on the window, the connection and one symbol.
import { addSymbols, positionOf, removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import { ZONES } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useListEdits, useShownList } from '../../store/list-edits.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';

import { openDialog, useOpenProfile, useProfiles } from '../profiles/index.ts';
import type { Entry } from './entries.ts';

export function useActions(onKeys: () => void): readonly Entry[] {
  const { intents } = useServices();
  const profiles = useProfiles();
  const openProfile = useOpenProfile();
  const theme = usePreference((preference) => preference.theme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const action = (
    id: string,
    title: string,
    detail: string,
    act: () => void,
    also = '',
    keys: readonly string[] = [],
  ): Entry => ({
    id: `action ${id}`,
    title,
    detail,
    also,
    keys,
    act,
  });
  return [
    action('retry', texts.palette.retry, texts.palette.retryWhy, intents.retry, 'connect connection stream'),
    action('theme', texts.palette.toTheme(other), '', () => preferences.setTheme(other), 'theme colour'),
    ...ZONES.map((zone) =>
      action(`zone ${zone}`, texts.palette.zone[zone], '', () => preferences.setZone(zone), 'zone time', [
        'G',
        ZONE_KEYS[zone],
      ]),
    ),
    action('keys', texts.palette.openKeys, '', onKeys, 'shortcuts cheat sheet help', ['?']),
    ...(profiles?.profiles ?? [])
      .filter(({ name, status }) => name !== profiles?.shown && (status === 'connected' || status === 'offline'))
      .map(({ name, environment }) =>
        action(
          `profile ${name}`,
          texts.profiles.openWindow(name),
          texts.profiles.environment[environment],
          () => openProfile(name),
          'profile',
        ),
      ),
    action(
      'key',
      texts.profiles.addKey,
      '',
      () => openDialog({ kind: 'key', environment: 'production' }, null),
      'profile production',
    ),
    action(
      'rehearsal',
      texts.profiles.rehearsal.act,
      '',
      () => openDialog({ kind: 'rehearsal' }, null),
      'simulated market scenario drill 2020 fall',
    ),
    action('prices', texts.profiles.addPrices, '', () => openDialog({ kind: 'prices' }, null), 'profile folder csv'),
    ...Object.entries(texts.settings.section).map(([id, name]) =>
      action(
        `settings ${id}`,
        `${texts.settings.heading}: ${name}`,
        '',
        () => goTo({ page: 'settings', item: id }),
        'settings preferences',
      ),
    ),
  ];
}

const ZONE_KEYS = { market: 'S', local: 'P', utc: 'U' } as const;

/** The actions on a symbol, watched or not; none without one. */
export function useSymbolActions(symbol: string | null): readonly Entry[] {
  const { intents } = useServices();
  const list = useShownList();
  const { edit } = useListEdits();
  const input = symbol === null ? null : ({ filter: 'unacked', symbol, limit: 50 } as const);
  const open = useChannelQuery('alerts.read', input).data?.rows ?? [];
  if (symbol === null) return [];
  const active = open.filter(({ ended }) => ended === null).map(({ alert }) => alert.ledger_id);
  const ledger_ids = open.map(({ alert }) => alert.ledger_id);
  const action = (id: string, title: string, detail: string, act: () => void): Entry => ({
    id: `${id} ${symbol}`,
    title,
    detail,
    act,
  });
  const entries: Entry[] = [];
  if (ledger_ids.length > 0)
    entries.push(
      action('acknowledge', texts.palette.acknowledge(symbol), texts.palette.acknowledgeWhy(ledger_ids.length), () =>
        intents.send('alerts.acknowledge', { ledger_ids, acknowledged: true }),
      ),
    );
  if (active.length > 0) {
    const snooze = (kind: 'next_open' | 'recovery') => () =>
      intents.send('alerts.snooze', { ledger_ids: active, until: { kind } });
    entries.push(
      action('snooze-open', texts.palette.snoozeOpen(symbol), '', snooze('next_open')),
      action('snooze-normal', texts.palette.snoozeNormal(symbol), '', snooze('recovery')),
    );
  }
  if (list !== undefined) {
    const watch = (): void =>
      edit(
        list,
        (now) => addSymbols(now, [symbol], now.sections.length - 1, texts.lists.firstSection),
        texts.palette.watched(symbol),
      );
    const unwatch = (): void => edit(list, (now) => removeSymbol(now, symbol), texts.palette.unwatched(symbol));
    entries.push(
      positionOf(list, symbol) === null
        ? action('watch', texts.palette.watch(symbol), texts.palette.watchWhy(list.name), () => {
            watch();
            intents.select(symbol);
            goTo({ page: 'watch', item: null });
          })
        : action('unwatch', texts.palette.unwatch(symbol), texts.palette.unwatchWhy(list.name), unwatch),
    );
  }
  return entries;
}
