// Service, briefings: the text of a briefing before it has an id, and how one is assembled.
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Column, table } from './format.ts';

export interface Section {
  readonly heading: string;
  /** Markdown. */
  readonly text: string;
}

export interface Draft {
  readonly title: string;
  /** Plain text, one paragraph. */
  readonly summary: string;
  /** Markdown. */
  readonly body: string;
  readonly symbols: readonly string[];
}

/** @param subject the symbol of a section about one symbol */
export type Block = (context: BriefingContext, subject: SymbolSnapshot) => Section | null;

/** @param date session day ("2026-03-02") of the briefing */
export type Writer = (context: BriefingContext, date: string) => Draft;

interface Parts extends Omit<Draft, 'body'> {
  /** Paragraphs before the first section; empty ones are omitted. */
  readonly lead: readonly string[];
  readonly sections: readonly (Section | null)[];
}

const MAX_SYMBOLS = 6;

/** A table with notes below it; empty notes are omitted. null without rows. */
export function sectionOf<Row>(
  heading: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  ...notes: readonly string[]
): Section | null {
  if (rows.length === 0) return null;
  return { heading, text: [table(columns, rows), ...notes.filter((note) => note !== '')].join('\n\n') };
}

/** Removes duplicate symbols. */
export const draftOf = ({ title, summary, lead, sections, symbols }: Parts): Draft => ({
  title,
  summary,
  body: `${[
    ...lead.filter((text) => text !== ''),
    ...sections.flatMap((section) => (section === null ? [] : `## ${section.heading}\n\n${section.text}`)),
  ].join('\n\n')}\n`,
  symbols: [...new Set(symbols)].slice(0, MAX_SYMBOLS),
});
