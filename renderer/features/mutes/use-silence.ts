// Renderer, mutes: silences as a choice of ends, from a row, an alert or the palette, with what each covers.
import { useCallback, useMemo } from 'react';
import type { SilenceInput } from '../../../shared/channels/alerting.ts';
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { isCovered, type SilenceEnd, silenceEnds } from '../../../shared/domain/silence-ends.ts';
import { watchedSymbols } from '../../../shared/domain/watchlists.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { usePreference } from '../../store/preferences.ts';
import { worldTime } from '../../store/select.ts';
import { useApp, useAppStore, useSnapshot } from '../../store/store.ts';

const { silence: messages } = texts.rules;

/** Adds a silence, announces it with Undo, and returns the core's answer. */
export function useAddSilence() {
  const { intents } = useServices();
  return useCallback(
    async (silence: SilenceInput, done: string) => {
      const answer = await intents.ask('silences.add', silence);
      if (answer.ok)
        noteAct(done, async () => {
          const undone = await intents.ask('mutes.end', { id: answer.value.id });
          noteAct(undone.ok ? texts.alerts.acts.done.undone : undone.error);
        });
      return answer;
    },
    [intents],
  );
}

interface SilenceChoice {
  readonly end: SilenceEnd;
  /** World time, ms. */
  readonly at: number;
  /** "for 1 hour". */
  readonly name: string;
  /** "until 16:30". */
  readonly until: string;
  readonly start: () => void;
}

/**
 * The choices for these symbols, or for every symbol (null), by the sessions of the first one's market.
 * @param what their name: "SPY", "Core"
 */
export function useSilenceChoices(symbols: readonly string[] | null, what: string): readonly SilenceChoice[] {
  const { clock } = useServices();
  const add = useAddSilence();
  const store = useAppStore();
  const zone = usePreference((preference) => preference.zone);
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const first = symbols?.[0] ?? '';
  const assetClass = useSnapshot((snapshot) => snapshot.rows[first]?.signal?.asset_class ?? 'etf');
  const minute = useWorldMinute();
  const calendar = sessionCalendarOf(assetClass, environment);
  const start = async (end: SilenceEnd): Promise<void> => {
    const { snapshot } = store.getState();
    const here = clock.now();
    const now = snapshot === null ? here : worldTime(snapshot.connection.clock, snapshot.anchoredAt, here);
    const at = silenceEnds(calendar, now).find((one) => one.end === end)?.at ?? now;
    const silence = { symbols: symbols === null ? null : [...symbols], from: null, until: timestamp(at), comment: '' };
    const answer = await add(silence, messages.done(what, shortTimestamp(at, zone, now), null));
    if (!answer.ok) noteAct(answer.error);
  };
  return silenceEnds(calendar, minute).map(({ end, at }) => ({
    end,
    at,
    name: messages.ends[end],
    until: messages.until(shortTimestamp(at, zone, minute)),
    start: () => void start(end),
  }));
}

/** What a silence of these symbols (null: every symbol) covers now, as text. */
export function useSilenceCoverage(symbols: readonly string[] | null): string {
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const alerts = useSnapshot((snapshot) => snapshot.alerts);
  const high = useSnapshot(
    ({ rows }) =>
      Object.values(rows).filter(({ symbol, signal }) => signal?.state === 2 && isCovered(symbols, symbol)).length,
  );
  return useMemo(() => {
    const covered = watchedSymbols(lists).filter((symbol) => isCovered(symbols, symbol)).length;
    const other = symbols === null ? 0 : symbols.length - covered;
    const waiting = alerts.filter(
      (alert) => alert.needs_attention && isCovered(symbols, alert.transition.symbol),
    ).length;
    return messages.covers({ watched: covered, other, high, waiting });
  }, [lists, alerts, symbols, high]);
}

const NONE: readonly Mute[] = [];

/** The mute that covers the symbol now; undefined: none. The most specific one first. */
export function useMuteOf(symbol: string): Mute | undefined {
  const minute = useWorldMinute();
  const mutes = useApp((state) => state.features.alerting?.mutes ?? NONE);
  return useMemo(() => {
    const active = mutes.filter(
      (mute) =>
        isCovered(mute.symbols, symbol) &&
        Date.parse(mute.from) <= minute + 60_000 &&
        (mute.until_at === null || Date.parse(mute.until_at) > minute),
    );
    return active.find(({ symbols }) => symbols?.length === 1) ?? active[0];
  }, [mutes, minute, symbol]);
}

/** Ends a mute, and says so. */
export function useEndMute(): (mute: Mute) => void {
  const { intents } = useServices();
  const { say } = useListEdits();
  return useCallback(
    async ({ id, symbols }: Mute) => {
      const answer = await intents.ask('mutes.end', { id });
      say(answer.ok ? messages.ended(symbols?.join(', ') ?? messages.every) : answer.error);
    },
    [intents, say],
  );
}

/** How long a mute lasts, as text. */
export function useMuteText(mute: Mute | undefined): string {
  const zone = usePreference((preference) => preference.zone);
  const minute = useWorldMinute();
  if (mute === undefined) return '';
  const end =
    mute.until_at !== null
      ? messages.until(shortTimestamp(Date.parse(mute.until_at), zone, minute))
      : messages.untilState[mute.until === 'change' ? 'change' : 'recovery'];
  return messages.muted(texts.rules.mutes.kinds[mute.kind], end);
}
