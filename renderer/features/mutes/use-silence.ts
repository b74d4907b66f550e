// Renderer, mutes: adds and edits silences, and offers ends with the coverage of each.
// A row, an alert and the palette offer them.

import { useCallback, useMemo } from 'react';
import type { SilenceInput } from '../../../shared/channels/alerting.ts';
import { type Matchers, matches, onlySymbol, placementsOf } from '../../../shared/domain/matchers.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { type SilenceEnd, silenceEnds } from '../../../shared/domain/silence-ends.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { worldTime } from '../../store/select.ts';
import { useApp, useAppStore, useSnapshot } from '../../store/store.ts';
import { calendarOf } from '../../store/symbol-calendar.ts';
import { type Coverage, coverageOf, firstCovered, inAnyState, symbolLabels } from './coverage.ts';

const messages = texts.silences;
const muteTexts = texts.mutes;

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

/** Changes a silence, announces it with Undo, and returns the core's answer. */
export function useEditSilence() {
  const { intents } = useServices();
  return useCallback(
    async (mute: Mute, silence: SilenceInput, done: string) => {
      const answer = await intents.ask('silences.edit', { id: mute.id, silence });
      if (answer.ok)
        noteAct(done, async () => {
          const undone = await intents.ask('silences.edit', { id: mute.id, silence: silenceOf(mute) });
          noteAct(undone.ok ? texts.alerts.acts.done.undone : undone.error);
        });
      return answer;
    },
    [intents],
  );
}

/** The current values of a silence. */
const silenceOf = ({ matchers, from, until_at, comment }: Mute): SilenceInput => ({
  matchers,
  from,
  until: until_at ?? from,
  comment,
});

/** The current coverage of matchers. */
export function useCoverage(matchers: Matchers): Coverage {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const alerts = useSnapshot((snapshot) => snapshot.alerts);
  const rows = useSnapshot((snapshot) => snapshot.rows);
  return useMemo(() => coverageOf(matchers, { watchlists, rows, alerts }), [matchers, watchlists, rows, alerts]);
}

/** The current coverage of a silence with these matchers, as text. */
export function useSilenceCoverage(matchers: Matchers): string {
  const { symbols, unwatched, alerts, waiting } = useCoverage(matchers);
  const high = alerts.filter(({ state }) => state === 2).length;
  const covers = messages.covers({ watched: symbols.length, other: unwatched, high, waiting });
  return matchers.length === 0 ? `${covers} ${messages.coversEveryEvent}` : covers;
}

/** The calendar of the first covered symbol's market. */
function useCalendar(matchers: Matchers): SessionCalendar {
  return useSnapshot((snapshot) =>
    calendarOf(snapshot, onlySymbol(matchers) ?? firstCovered(matchers, snapshot) ?? null),
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
 * The choices for a silence with these matchers, by the sessions of the first covered symbol's market.
 * @param what their name: "SPY", "Core"
 */
export function useSilenceChoices(matchers: Matchers, what: string): readonly SilenceChoice[] {
  const { clock } = useServices();
  const add = useAddSilence();
  const store = useAppStore();
  const zone = usePreference((preference) => preference.zone);
  const calendar = useCalendar(matchers);
  const minute = useWorldMinute();
  const start = async (end: SilenceEnd): Promise<void> => {
    const { snapshot } = store.getState();
    const here = clock.now();
    const now = snapshot === null ? here : worldTime(snapshot.connection.clock, snapshot.anchoredAt, here);
    const at = silenceEnds(calendar, now).find((one) => one.end === end)?.at ?? now;
    const silence = { matchers: [...matchers], from: null, until: timestamp(at), comment: '' };
    const answer = await add(silence, messages.done(what, shortTimestamp(at, zone, now), null));
    if (!answer.ok) noteAct(answer.error);
  };
  return silenceEnds(calendar, minute).map(({ end, at }) => ({
    end,
    at,
    name: messages.ends[end],
    until: messages.endsAt[end](shortTimestamp(at, zone, minute)),
    start: () => void start(end),
  }));
}

/** Later ends of a silence: an hour more, and the presets that are later than its own end. */
export function useExtensions(mute: Mute, what: string): readonly Omit<SilenceChoice, 'at'>[] {
  const edit = useEditSilence();
  const zone = usePreference((preference) => preference.zone);
  const calendar = useCalendar(mute.matchers);
  const minute = useWorldMinute();
  const ends = Date.parse(mute.until_at ?? mute.from);
  const extend = async (at: number): Promise<void> => {
    const done = messages.extended(what, shortTimestamp(at, zone, minute));
    const answer = await edit(mute, { ...silenceOf(mute), until: timestamp(at) }, done);
    if (!answer.ok) noteAct(answer.error);
  };
  return silenceEnds(calendar, minute)
    .map(({ end, at }) => ({ end, at: end === 'hour' ? ends + HOUR_MS : at }))
    .filter(({ at }) => at > ends)
    .map(({ end, at }) => ({
      end,
      name: muteTexts.extensions[end],
      until: messages.endsAt[end](shortTimestamp(at, zone, minute)),
      start: () => void extend(at),
    }));
}

const NONE: readonly Mute[] = [];

/**
 * The mute that covers the symbol now, or its next alert where it is Normal; undefined: none. A mute of this
 * symbol alone precedes others.
 */
export function useMuteOf(symbol: string): Mute | undefined {
  const minute = useWorldMinute();
  const mutes = useApp((state) => state.features.alerting?.mutes ?? NONE);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const signal = useSnapshot((snapshot) => snapshot.rows[symbol]?.signal);
  const isUsed = mutes.length > 0 && symbol !== '';
  const placements = useMemo(() => placementsOf(isUsed ? watchlists : []), [isUsed, watchlists]);
  return useMemo(() => {
    if (!isUsed) return undefined;
    const labels = symbolLabels(symbol, signal, placements);
    const isQuiet = labels.state === null || labels.state === 0;
    const active = mutes.filter(
      ({ matchers, from, until_at }) =>
        matches(isQuiet ? inAnyState(matchers) : matchers, labels) &&
        Date.parse(from) <= minute + 60_000 &&
        (until_at === null || Date.parse(until_at) > minute),
    );
    return active.find(({ matchers }) => onlySymbol(matchers) === symbol) ?? active[0];
  }, [isUsed, mutes, minute, symbol, signal, placements]);
}

/** The scope of a mute, as text. */
export function useMatchersText(): (matchers: Matchers) => string {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  return useCallback((matchers: Matchers) => messages.matchers(matchers, watchlists, muteTexts.every), [watchlists]);
}

/** Ends a mute, and announces it. */
export function useEndMute(): (mute: Mute) => void {
  const { intents } = useServices();
  const text = useMatchersText();
  return useCallback(
    async ({ id, matchers }: Mute) => {
      const answer = await intents.ask('mutes.end', { id });
      noteAct(answer.ok ? messages.ended(text(matchers)) : answer.error);
    },
    [intents, text],
  );
}

/** The duration of a mute, as text; with its scope, unless that is one symbol. */
export function useMuteText(mute: Mute | undefined): string {
  const zone = usePreference((preference) => preference.zone);
  const minute = useWorldMinute();
  const text = useMatchersText();
  if (mute === undefined) return '';
  const end =
    mute.until_at !== null
      ? messages.until(shortTimestamp(Date.parse(mute.until_at), zone, minute))
      : messages.untilState[mute.until === 'change' ? 'change' : 'recovery'];
  const kind = muteTexts.kinds[mute.kind];
  return messages.muted(onlySymbol(mute.matchers) === null ? `${kind} (${text(mute.matchers)})` : kind, end);
}
