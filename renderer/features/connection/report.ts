// Renderer, connection, pure: the page as text for support; it holds no secret.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import type { KeyState } from '../../../shared/channels/keys.ts';
import type { SelfTestView } from '../../../shared/channels/self-test.ts';
import { INDICATOR_NAMES } from '../../../shared/channels/state.ts';
import { fineSpan, fullTime, preciseTime, shortTimestamp, type Zone, zoneName } from '../../../shared/text/format.ts';

import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { CoreSnapshot } from '../../store/state.ts';
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
    `# ${texts.connection.heading}`,
    [
      `${fullTime(now, zone, now)} ${zoneName(zone)}`,
      `${profile.environment === 'sandbox' ? texts.common.sandbox : texts.common.production}${profile.replay ? ` ${texts.common.replay}` : ''}: ${textOf(profile.label)}`,
      ...(connection.outage === null
        ? []
        : [
            texts.common.spoken.outage(
              shortTimestamp(Date.parse(connection.outage.since), zone, now),
              textOf(connection.outage.cause),
            ),
          ]),
      ...(connection.refused === null ? [] : [textOf(connection.refused)]),
    ],
    `## ${texts.connection.indicators}`,
    INDICATOR_NAMES.map((name) => {
      const { state, detail, since } = connection.indicators[name];
      return `${texts.common.status.indicator[name]}: ${texts.common.status.indicatorState[state]}, ${textOf(detail)}, since ${shortTimestamp(Date.parse(since), zone, now)}`;
    }),
  ];
  if (details !== null) {
    const { clock, provable } = connection;
    sections.push(
      `## ${texts.connection.stream.heading}`,
      written(streamLines({ details, gaps, clock, provable, zone, now })),
      `## ${texts.connection.beats.name}`,
      details.stream.beats.length === 0 ? texts.connection.beats.none : details.stream.beats.map(beatLine),
      `## ${texts.connection.compatibility.heading}`,
      written(compatibilityLines(details.compatibility, form, model)),
    );
  }
  sections.push(
    `## ${texts.connection.gaps.heading}`,
    gaps.length === 0
      ? texts.connection.gaps.none(connection.provable, connection.outage !== null)
      : gaps.map((gap) => {
          const to = gap.to === null ? texts.connection.gaps.until : preciseTime(Date.parse(gap.to), zone, now);
          return `${preciseTime(Date.parse(gap.from), zone, now)} to ${to}: ${textOf(gap.cause)} (${gapText(gap)})`;
        }),
    `## ${texts.connection.selfTest.heading}`,
    selfTest?.last == null
      ? texts.connection.selfTest.never
      : [
          `${preciseTime(Date.parse(selfTest.last.began_at), zone, now)}. ${textOf(selfTest.last.message)}`,
          ...selfTest.last.steps.map(({ step, outcome, after, detail }) =>
            [
              `${texts.connection.selfTest.steps[step]}: ${texts.connection.selfTest.outcome[outcome]}`,
              after === null ? '' : fineSpan(after),
              optionalText(detail),
            ]
              .filter((part) => part !== '')
              .join(', '),
          ),
        ],
  );
  if (details !== null)
    sections.push(
      `## ${texts.connection.quota.heading}`,
      [...quotaWarnings(details, zone, now), ...meters(details).map(({ name, text }) => `${name}: ${text}`)],
      `## ${costs(details).heading}`,
      costs(details).lines.map(({ name, text }) => `${name}: ${text}`),
    );
  if (key !== null)
    sections.push(`## ${texts.connection.keys.heading}`, [
      textOf(key.message),
      `${texts.connection.keys.storage}: ${textOf(key.tier_label)}`,
    ]);
  return `${sections
    .map((part) =>
      typeof part === 'string' ? part : part.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n'),
    )
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const written = (lines: readonly Line[]): string[] => lines.map(({ name, text }) => `${name}: ${text}`);
