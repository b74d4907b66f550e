// Renderer, connection, pure: the page as text, for whoever helps. There is no secret on the page, so there is none in here.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { DrillFace } from '../../../shared/channels/drill.ts';
import type { KeyState } from '../../../shared/channels/keys.ts';
import { LAMP_NAMES } from '../../../shared/channels/state.ts';
import type { Board } from '../../store/state.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { en } from '../../text/en.ts';
import { fineSpan, fullTime, moment, preciseTime, type Zone, zoneName } from '../../text/format.ts';
import { costs, dialectLines, gapWords, type Line, meters, quotaWarnings, streamLines } from './lines.ts';

export interface ReportParts {
  readonly board: Board;
  readonly details: ConnectionDetails | null;
  readonly drill: DrillFace | null;
  readonly key: KeyState | null;
  readonly form: string | null;
  readonly model: string | null;
  readonly zone: Zone;
  readonly now: number;
}

export function connectionReport({ board, details, drill, key, form, model, zone, now }: ReportParts): string {
  const { connection, profile, gaps } = board;
  const heard = (beat: { at: string; gap: number }): string =>
    `${preciseTime(Date.parse(beat.at), zone, now)} after ${fineSpan(beat.gap)}`;
  const parts: (string | readonly string[])[] = [
    `# ${words.heading}`,
    [
      `${fullTime(now, zone, now)} ${zoneName(zone)}`,
      `${profile.environment === 'sandbox' ? en.sandbox : en.production}${profile.replay ? ` ${en.replay}` : ''}: ${profile.label}`,
      ...(connection.blind === null
        ? []
        : [en.spoken.blind(moment(Date.parse(connection.blind.since), zone, now), connection.blind.cause)]),
      ...(connection.stopped === null ? [] : [connection.stopped]),
    ],
    `## ${words.lamps}`,
    LAMP_NAMES.map((name) => {
      const { state, detail, since } = connection.lamps[name];
      return `${en.status.lamp[name]}: ${en.status.lampState[state]}, ${detail}, since ${moment(Date.parse(since), zone, now)}`;
    }),
  ];
  if (details !== null) {
    const { clock, provable } = connection;
    parts.push(
      `## ${words.stream.heading}`,
      written(streamLines({ details, gaps, clock, provable, zone, now })),
      `## ${words.beats.name}`,
      details.stream.beats.length === 0 ? words.beats.none : details.stream.beats.map(heard),
      `## ${words.dialect.heading}`,
      written(dialectLines(details.dialect, form, model)),
    );
  }
  parts.push(
    `## ${words.gaps.heading}`,
    gaps.length === 0
      ? words.gaps.none
      : gaps.map((gap) => {
          const to = gap.to === null ? words.gaps.until : preciseTime(Date.parse(gap.to), zone, now);
          return `${preciseTime(Date.parse(gap.from), zone, now)} to ${to}: ${gap.cause} (${gapWords(gap)})`;
        }),
    `## ${words.drill.heading}`,
    drill?.last == null
      ? words.drill.never
      : [
          `${preciseTime(Date.parse(drill.last.began_at), zone, now)}. ${drill.last.words}`,
          ...drill.last.steps.map(({ step, outcome, after, detail }) =>
            [
              `${words.drill.steps[step]}: ${words.drill.outcome[outcome]}`,
              after === null ? '' : fineSpan(after),
              detail,
            ]
              .filter((part) => part !== '')
              .join(', '),
          ),
        ],
  );
  if (details !== null)
    parts.push(
      `## ${words.quota.heading}`,
      [...quotaWarnings(details, zone, now), ...meters(details).map(({ name, text }) => `${name}: ${text}`)],
      `## ${costs(details).heading}`,
      costs(details).lines.map(({ name, text }) => `${name}: ${text}`),
    );
  if (key !== null) parts.push(`## ${words.keys.heading}`, [key.words, `${words.keys.storage}: ${key.tier_words}`]);
  return `${parts
    .map((part) =>
      typeof part === 'string' ? part : part.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n'),
    )
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const written = (lines: readonly Line[]): string[] => lines.map(({ name, text }) => `${name}: ${text}`);
