// Pure: the templates of alert rules. Each opens in the editor as a filled draft; nothing is saved by itself.

import { symbolsOf, type Watchlist } from '../domain/watchlists.ts';
import { DEFAULT_RULE, type Rule } from './alert-rules.ts';
import { BREADTH_EVENT, PRICE_EVENT } from './core-events.ts';
import type { ChannelKindName, NotificationChannel } from './notification-channels/channels.ts';

type Conditions = Partial<Omit<Rule, 'id' | 'name' | 'enabled'>>;

/** What a template finds in the window. */
export interface TemplateContext {
  readonly watchlists: readonly Watchlist[];
  readonly channels: readonly NotificationChannel[];
  /** The selected symbol; null: none. */
  readonly selected: string | null;
}

/** Channels that reach a phone by themselves. */
const PHONES: ReadonlySet<ChannelKindName> = new Set(['ntfy', 'telegram', 'pushover']);

const ofLists = (lists: readonly Watchlist[]): Rule['scope'] => ({ kind: 'lists', ids: lists.map(({ id }) => id) });
const ofPrice = (price: Rule['price']): Conditions => ({ events: [PRICE_EVENT], min_state: 0, price });

/** What is not found is empty in the draft, and the editor asks for it. */
const TEMPLATES = {
  holdings: ({ watchlists }) => ({ scope: ofLists(watchlists.filter(({ holdings }) => holdings !== undefined)) }),
  likely: () => ({ min_confidence: 50 }),
  breadth: ({ watchlists }) => ({
    events: [BREADTH_EVENT],
    min_state: 0,
    breadth: { list: watchlists[0]?.id ?? '', percent: 30, state: 2 },
  }),
  fall: () => ofPrice({ kind: 'change', direction: 'down', percent: 3, minutes: null }),
  level: ({ selected }) => ({
    // The user enters the level.
    ...ofPrice({ kind: 'level', direction: 'below', level: Number.NaN }),
    scope: { kind: 'symbols', symbols: selected === null ? [] : [selected] },
  }),
  regimes: () => ({ events: ['regime.flip'], min_state: 0 }),
  // No rule says "while the market is closed": this is from the close to the open, on every day of the week.
  coins: ({ channels }) => ({
    classes: ['crypto'],
    hours: { kind: 'daily', zone: 'America/New_York', days: [0, 1, 2, 3, 4, 5, 6], from: '16:00', to: '09:30' },
    channels: channels.filter(({ destination }) => PHONES.has(destination.kind)).map(({ id }) => id),
  }),
  changes: ({ watchlists }) => ({
    events: ['signal.normal', 'signal.elevated', 'signal.high_risk'],
    min_state: 0,
    scope: ofLists(watchlists.toSorted((a, b) => symbolsOf(a).length - symbolsOf(b).length).slice(0, 1)),
  }),
  briefings: () => ({ events: ['briefing.published'], min_state: 0, scope: { kind: 'all' } }),
} as const satisfies Readonly<Record<string, (context: TemplateContext) => Conditions>>;

export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[];

/** A rule as a draft: a list, a symbol or a level may be missing. */
export const templateRule = (template: TemplateName, name: string, context: TemplateContext): Rule => ({
  ...DEFAULT_RULE,
  name,
  ...TEMPLATES[template](context),
});
