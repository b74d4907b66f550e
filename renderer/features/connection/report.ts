// Renderer, connection, pure: the page as text for support; it holds no secret.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { KeyState } from '../../../shared/channels/keys.ts';
import type { SelfTestView } from '../../../shared/channels/self-test.ts';
import { INDICATOR_NAMES } from '../../../shared/channels/state.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { en } from '../../text/en.ts';
import { fineSpan, fullTime, preciseTime, shortTimestamp, type Zone, zoneName } from '../../text/format.ts';
import { compatibilityLines, costs, gapText, type Line, meters, quotaWarnings, streamLines } from './lines.ts';

export interface ReportInput {
  readonly snapshot: CoreSnapshot;
  readonly details: ConnectionDetails | null;
  readonly selfTest: SelfTestView | null;
  readonly key: KeyState | null;
  readonly form: string | null;
  readonly model: string | null;
  readonly zone: Zone;
  readonly now: number;
}

export function connectionReport({ snapshot, details, selfTest, key, form, model, zone, now }: ReportInput): string {
  const { connection, profile, gaps } = snapshot;
  const beatLine = (beat: { at: string; gap: number }): string =>
    `${preciseTime(Date.parse(beat.at), zone, now)} after ${fineSpan(beat.gap)}`;
  const sections: (string | readonly string[])[] = [
    `# ${messages.heading}`,
    [
      `${fullTime(now, zone, now)} ${zoneName(zone)}`,
      `${profile.environment === 'sandbox' ? en.sandbox : en.production}${profile.replay ? ` ${en.replay}` : ''}: ${profile.label}`,
      ...(connection.outage === null
        ? []
        : [en.spoken.outage(shortTimestamp(Date.parse(connection.outage.since), zone, now), connection.outage.cause)]),
      ...(connection.stopped === null ? [] : [connection.stopped]),
    ],
    `## ${messages.indicators}`,
    INDICATOR_NAMES.map((name) => {
      const { state, detail, since } = connection.indicators[name];
      return `${en.status.indicator[name]}: ${en.status.indicatorState[state]}, ${detail}, since ${shortTimestamp(Date.parse(since), zone, now)}`;
    }),
  ];
  if (details !== null) {
    const { clock, provable } = connection;
    sections.push(
      `## ${messages.stream.heading}`,
      written(streamLines({ details, gaps, clock, provable, zone, now })),
      `## ${messages.beats.name}`,
      details.stream.beats.length === 0 ? messages.beats.none : details.stream.beats.map(beatLine),
      `## ${messages.compatibility.heading}`,
      written(compatibilityLines(details.compatibility, form, model)),
    );
  }
  sections.push(
    `## ${messages.gaps.heading}`,
    gaps.length === 0
      ? messages.gaps.none
      : gaps.map((gap) => {
          const to = gap.to === null ? messages.gaps.until : preciseTime(Date.parse(gap.to), zone, now);
          return `${preciseTime(Date.parse(gap.from), zone, now)} to ${to}: ${gap.cause} (${gapText(gap)})`;
        }),
    `## ${messages.selfTest.heading}`,
    selfTest?.last == null
      ? messages.selfTest.never
      : [
          `${preciseTime(Date.parse(selfTest.last.began_at), zone, now)}. ${selfTest.last.message}`,
          ...selfTest.last.steps.map(({ step, outcome, after, detail }) =>
            [
              `${messages.selfTest.steps[step]}: ${messages.selfTest.outcome[outcome]}`,
              after === null ? '' : fineSpan(after),
              detail,
            ]
              .filter((part) => part !== '')
              .join(', '),
          ),
        ],
  );
  if (details !== null)
    sections.push(
      `## ${messages.quota.heading}`,
      [...quotaWarnings(details, zone, now), ...meters(details).map(({ name, text }) => `${name}: ${text}`)],
      `## ${costs(details).heading}`,
      costs(details).lines.map(({ name, text }) => `${name}: ${text}`),
    );
  if (key !== null)
    sections.push(`## ${messages.keys.heading}`, [key.message, `${messages.keys.storage}: ${key.tier_label}`]);
  return `${sections
    .map((part) =>
      typeof part === 'string' ? part : part.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n'),
    )
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const written = (lines: readonly Line[]): string[] => lines.map(({ name, text }) => `${name}: ${text}`);
