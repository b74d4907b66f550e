// Renderer: the actions of the palette: on the window, the connection and one symbol.
import { useMemo } from 'react';
import { type Matchers, symbolMatchers } from '../../../shared/domain/matchers.ts';
import { addSymbols, positionOf, removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import { ZONES } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useListEdits, useShownList } from '../../store/list-edits.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo, openAlertSection } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { openNewRule, openPriceRule } from '../alert-rules/index.ts';
import { useMarkAllRead } from '../briefings/index.ts';
import { namesOf, useActs, useInbox, useWaitingLocal } from '../inbox/index.ts';
import { useEndMute, useMuteOf, useMuteText, useSilenceChoices, useSilenceCoverage } from '../mutes/index.ts';
import { isRunning, openDialog, useOpenProfile, useProfiles } from '../profiles/index.ts';
import { openHoldings, saveList } from '../watch/index.ts';
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
      .filter(({ name, status }) => name !== profiles?.shown && isRunning(status))
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
      () => openDialog({ kind: 'key', environment: 'production' }),
      'profile production',
    ),
    action(
      'crashMarket',
      texts.profiles.crashMarket.act,
      '',
      () => openDialog({ kind: 'crashMarket' }),
      'simulated market scenario drill 2020 fall',
    ),
    action(
      'shares',
      texts.profiles.shares.act,
      '',
      () => openDialog({ kind: 'shares' }),
      'profile alpaca stocks equities funds live prices vendor key',
    ),
    action(
      'coins',
      texts.profiles.coins.act,
      '',
      () => openDialog({ kind: 'coins' }),
      'profile binance crypto bitcoin live prices',
    ),
    action('prices', texts.profiles.addPrices, '', () => openDialog({ kind: 'prices' }), 'profile folder csv'),
    ...settingsSections.map((id) =>
      action(
        `settings ${id}`,
        `${texts.settings.heading}: ${texts.settings.section[id]}`,
        '',
        () => goTo({ page: 'settings', item: id }),
        `settings preferences ${texts.palette.settingsKeywords[id]}`,
      ),
    ),
    ...useWorkActions(),
  ];
}

const settingsSections = Object.keys(texts.settings.section) as (keyof typeof texts.settings.section)[];

/** Matches every alert. */
const EVERY: Matchers = [];

/** Actions without a symbol: acknowledge, silence, add a rule, export. */
function useWorkActions(): readonly Entry[] {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const list = useShownList();
  const { say } = useListEdits();
  const needsYou = useInbox().needsYou.map(({ alert }) => alert);
  const prices = useWaitingLocal();
  const waiting = needsYou.length + prices.length;
  const acts = useActs();
  const unread = useApp(({ features }) => features.archive?.briefings.unread ?? 0);
  const markAllRead = useMarkAllRead();
  const silences = useSilenceChoices(EVERY, texts.silences.every);
  const covers = useSilenceCoverage(EVERY);
  const palette = texts.palette;
  const entry = (id: string, title: string, detail: string, also: string, act: () => void): Entry => ({
    id: `work ${id}`,
    title,
    detail,
    also,
    act,
  });
  return [
    ...(waiting === 0
      ? []
      : [
          entry(
            'acknowledge-all',
            palette.acknowledgeAll(waiting),
            namesOf(needsYou, prices),
            palette.acknowledgeAllKeywords,
            () => acts.acknowledge(needsYou, prices),
          ),
        ]),
    ...(unread === 0
      ? []
      : [entry('read-all', palette.markAllRead(unread), '', palette.markAllReadKeywords, () => markAllRead({}))]),
    ...silences.map(({ end, name, until, start }) =>
      entry(`silence-${end}`, palette.silenceAll(name), `${until}. ${covers}`, palette.silenceKeywords, () => {
        start();
        openAlertSection('muted');
      }),
    ),
    entry('prices', texts.priceAlerts.heading, '', texts.priceAlerts.keywords, () => openAlertSection('prices')),
    entry('days', palette.days, palette.daysWhy, palette.daysKeywords, () => openAlertSection('days')),
    entry('quiet', palette.quietHours, palette.quietHoursWhy, palette.quietHoursKeywords, () =>
      openAlertSection('muted'),
    ),
    entry('sound', palette.sound, palette.soundWhy, palette.soundKeywords, () => openAlertSection('rules')),
    entry('self-test', palette.selfTest, palette.selfTestWhy, palette.selfTestKeywords, () => {
      goTo({ page: 'settings', item: 'connection' });
      intents.send('selfTest.run', {});
    }),
    entry('retention', palette.alertRetention, palette.alertRetentionWhy, palette.alertRetentionKeywords, () =>
      goTo({ page: 'settings', item: 'connection' }),
    ),
    entry('rule', palette.newRule, palette.newRuleWhy, palette.newRuleKeywords, () => openNewRule(zone, null)),
    ...(list === undefined
      ? []
      : [
          entry('holdings', palette.holdings(list.name), palette.holdingsWhy, palette.holdingsKeywords, () => {
            goTo({ page: 'watch', item: null });
            openHoldings();
          }),
          entry(
            'export-list',
            palette.exportList(list.name),
            palette.exportListWhy,
            palette.exportKeywords,
            () => void saveList(list, 'csv', say),
          ),
        ]),
    entry('export-alerts', palette.exportAlerts, palette.exportAlertsWhy, palette.exportKeywords, () =>
      openAlertSection('inbox'),
    ),
  ];
}

const ZONE_KEYS = { market: 'S', local: 'P', utc: 'U' } as const;

/** Whether the service covers a symbol; null: it has not said. */
export type Coverage = boolean | null;

/**
 * The actions on a symbol, watched or not; none without one.
 * @param isCovered null: the service has not said
 * @param conditions on its price, as typed
 */
export function useSymbolActions(
  symbol: string | null,
  isCovered: Coverage,
  conditions: readonly PriceCondition[] = [],
): readonly Entry[] {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  const list = useShownList();
  const { edit } = useListEdits();
  const input = symbol === null ? null : ({ filter: 'unacked', symbol, limit: 50 } as const);
  const open = useChannelQuery('alerts.read', input).data?.rows ?? [];
  const matchers = useMemo(() => symbolMatchers(symbol === null ? null : [symbol]), [symbol]);
  const silences = useSilenceChoices(matchers, symbol ?? '');
  const mute = useMuteOf(symbol ?? '');
  const muted = useMuteText(mute);
  const endMute = useEndMute();
  if (symbol === null) return [];
  const palette = texts.palette;
  const active = open.filter(({ ended }) => ended === null).map(({ alert }) => alert.ledger_id);
  const ledger_ids = open.map(({ alert }) => alert.ledger_id);
  const action = (id: string, title: string, detail: string, also: string, act: () => void): Entry => ({
    id: `${id} ${symbol}`,
    title,
    detail,
    also,
    act,
  });
  const entries: Entry[] = [];
  if (ledger_ids.length > 0)
    entries.push(
      action(
        'acknowledge',
        palette.acknowledge(symbol),
        palette.acknowledgeWhy(ledger_ids.length),
        palette.acknowledgeKeywords,
        () => intents.send('alerts.acknowledge', { ledger_ids, acknowledged: true }),
      ),
    );
  if (active.length > 0) {
    const snooze = (kind: 'next_open' | 'recovery') => () =>
      intents.send('alerts.snooze', { ledger_ids: active, until: { kind } });
    entries.push(
      action('snooze-open', palette.snoozeOpen(symbol), '', palette.snoozeKeywords, snooze('next_open')),
      action('snooze-normal', palette.snoozeNormal(symbol), '', palette.snoozeKeywords, snooze('recovery')),
    );
  }
  if (list !== undefined) {
    const watch = (): void =>
      void edit(
        list,
        (now) => addSymbols(now, [symbol], now.sections.length - 1, texts.lists.firstSection),
        palette.watched(symbol),
      );
    const unwatch = (): void => void edit(list, (now) => removeSymbol(now, symbol), palette.unwatched(symbol));
    entries.push(
      positionOf(list, symbol) === null
        ? action(
            'watch',
            palette.watch(symbol),
            watchDetail(symbol, list.name, isCovered),
            palette.watchKeywords,
            () => {
              watch();
              intents.select(symbol);
              goTo({ page: 'watch', item: null });
            },
          )
        : action('unwatch', palette.unwatch(symbol), palette.unwatchWhy(list.name), palette.unwatchKeywords, unwatch),
    );
  }
  // Without a signal there is nothing to silence, and no event for a rule.
  if (isCovered === false) return entries;
  if (mute !== undefined)
    entries.push(action('unmute', palette.endMute(symbol), muted, palette.endMuteKeywords, () => endMute(mute)));
  return [
    ...entries,
    ...silences.map(({ end, name, until, start }) =>
      action(`silence-${end}`, palette.silence(symbol, name), until, palette.silenceKeywords, start),
    ),
    ...conditions.map((condition) =>
      action(
        `price-${JSON.stringify(condition)}`,
        texts.priceAlerts.alertMe(symbol, condition),
        '',
        texts.priceAlerts.keywords,
        () => openPriceRule(zone, profile, symbol, condition),
      ),
    ),
    action('price', texts.priceAlerts.add(symbol), texts.priceAlerts.addWhy, texts.priceAlerts.keywords, () =>
      openPriceRule(zone, profile, symbol),
    ),
    action('rule', palette.newRuleFor(symbol), palette.newRuleWhy, palette.newRuleKeywords, () =>
      openNewRule(zone, symbol),
    ),
  ];
}

function watchDetail(symbol: string, list: string, isCovered: Coverage): string {
  if (isCovered === false) return texts.palette.notCovered(symbol);
  return isCovered === null ? texts.palette.coverageUnknown(list) : texts.palette.watchWhy(list);
}
