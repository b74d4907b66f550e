// Service, briefings: what a writer hands in.
import type { Choice } from './choice.ts';
import type { BriefingContext } from './context.ts';

export interface Draft {
  readonly title: string;
  /** Plain text, a paragraph. */
  readonly summary: string;
  /** Markdown. */
  readonly body: string;
  readonly symbols: readonly string[];
}

/** @param date session day ("2026-03-02") that the briefing belongs to */
export type Writer = (context: BriefingContext, choose: Choice, date: string) => Draft;

const MOST_SYMBOLS = 6;

/** A draft in its form: no symbol twice, the title without a full stop. */
export const writtenFrom = ({ title, summary, body, symbols }: Draft): Draft => ({
  title: title.replace(/\.$/, ''),
  summary,
  body: `${body.trim()}\n`,
  symbols: [...new Set(symbols)].slice(0, MOST_SYMBOLS),
});

/** A title behind a label, unless it has a colon of its own. */
export const headed = (choose: Choice, labels: readonly string[], title: string): string =>
  title.includes(':') || choose.chance(0.3) ? title : `${choose.pick(labels)}: ${title}`;
