// Service, briefings: the text of a briefing before it has an id, and how one is assembled.
import type { Choice } from './choice.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';

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
export type Block = (context: BriefingContext, choose: Choice, subject: SymbolSnapshot) => Section | null;

/** @param date session day ("2026-03-02") of the briefing */
export type Writer = (context: BriefingContext, choose: Choice, date: string) => Draft;

interface Parts extends Omit<Draft, 'body'> {
  /** Paragraphs before the first section; empty ones are omitted. */
  readonly lead: readonly string[];
  readonly sections: readonly (Section | null)[];
}

const MAX_SYMBOLS = 6;

/** Removes duplicate symbols, and the full stop of the title. */
export const draftOf = ({ title, summary, lead, sections, symbols }: Parts): Draft => ({
  title: title.replace(/\.$/, ''),
  summary,
  body: `${[
    ...lead.filter((text) => text !== ''),
    ...sections.flatMap((section) => (section === null ? [] : `## ${section.heading}\n\n${section.text}`)),
  ]
    .join('\n\n')
    .trim()}\n`,
  symbols: [...new Set(symbols)].slice(0, MAX_SYMBOLS),
});

/** Puts a label before a title that has no colon of its own. */
export const headed = (choose: Choice, labels: readonly string[], title: string): string =>
  title.includes(':') || choose.chance(0.3) ? title : `${choose.pick(labels)}: ${title}`;
