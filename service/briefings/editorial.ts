// Service, briefings: editorials, read from a folder of Markdown files with front matter.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { normalizeSymbol } from '../../shared/domain/instruments.ts';
import { folderRefusal } from '../../shared/lib/folder-refusal.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { BRIEFING_TYPES } from '../../shared/wire/events.ts';
import { SymbolSchema, ZonedInstantSchema } from '../../shared/wire/primitives.ts';
import { fingerprintOf, readWhole } from '../folder-files.ts';
import type { CsvProblem } from '../market/files/table.ts';
import type { Briefing } from '../store/briefings.ts';
import { readingMinutes } from './format.ts';

export interface Editorials {
  /** Editorials dated at or before the instant, oldest first. */
  due(instant: number): readonly Briefing[];
}

export interface EditorialFolder extends Editorials {
  /** The refused files, after the folder itself where it can no longer be read. */
  readonly problems: readonly CsvProblem[];
  /** Reads the folder again when its files have changed. @returns whether they have, or whether it can be read */
  refresh(): boolean;
}

export const NO_EDITORIALS: Editorials = { due: () => [] };

const MAX_BYTES = 1_048_576;
const FENCE = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
const SUMMARY_LENGTH = 300;

const FrontMatterSchema = z.object({
  title: z
    .string({ error: 'is required: a line of text' })
    .trim()
    .min(1, 'is empty')
    .max(200, 'is longer than 200 characters'),
  author: z
    .string({ error: 'is required: whoever signs it' })
    .trim()
    .min(1, 'is empty')
    .max(80, 'is longer than 80 characters'),
  date: z.union([ZonedInstantSchema, z.date().transform((date) => date.toISOString())], {
    error: 'is required: an ISO 8601 date, or a date-time with Z or an offset, like 2026-03-02T14:30:00Z',
  }),
  type: z.enum(BRIEFING_TYPES, { error: `must be one of ${BRIEFING_TYPES.join(', ')}` }).default('deep'),
  summary: z.string({ error: 'must be text' }).trim().max(1000, 'is longer than 1000 characters').optional(),
  symbols: z
    .array(z.string().transform(normalizeSymbol).pipe(SymbolSchema), {
      error: 'must be a list of symbols, like [SPY, QQQ]',
    })
    .max(50)
    .default([]),
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,79}$/, 'must be 1 to 80 small letters, digits and hyphens')
    .optional(),
});

/**
 * Opens a folder of `*.md` files. An unusable file becomes a problem and does not affect the others.
 * @throws Error with one sentence when the folder cannot be read
 */
export function openEditorials(folder: string): EditorialFolder {
  let contents = readFolder(folder);
  let failure: readonly CsvProblem[] = [];
  return {
    get problems() {
      return [...failure, ...contents.problems];
    },
    due: (instant) => contents.briefings.filter(({ date }) => date <= instant),
    refresh() {
      const before = failure;
      try {
        const changed = fingerprintOf(folder, filesOf(folder)) !== contents.print;
        if (changed) contents = readFolder(folder);
        failure = [];
        return changed || before.length > 0;
      } catch (error) {
        // Keeps its last contents; the next poll tries again.
        failure = [{ file: folder, line: 0, reason: messageOf(error) }];
        return before.length === 0;
      }
    },
  };
}

interface Contents {
  readonly print: string;
  readonly briefings: readonly Briefing[];
  readonly problems: readonly CsvProblem[];
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.md'))
      .sort();
  } catch (error) {
    throw new Error(folderRefusal(`The folder of briefings ${folder}`, error));
  }
}

function readFolder(folder: string): Contents {
  const print = fingerprintOf(folder, filesOf(folder));
  const problems: CsvProblem[] = [];
  const briefings = new Map<string, Briefing>();
  for (const file of filesOf(folder)) {
    const read = readEditorial(file, textOf(join(folder, file)));
    if ('reason' in read) problems.push(read);
    else if (briefings.has(read.id))
      problems.push({ file, line: 0, reason: `another file has the id ${read.id}; give this one an id of its own` });
    else briefings.set(read.id, read);
  }
  return {
    print,
    problems,
    briefings: [...briefings.values()].sort((a, b) => a.date - b.date || (a.id < b.id ? -1 : 1)),
  };
}

function textOf(path: string): string | Error {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readWhole(path, MAX_BYTES, 'shorten it'));
  } catch (error) {
    return new Error(`cannot be read: ${error instanceof TypeError ? 'it is not UTF-8' : messageOf(error)}`);
  }
}

/** Parses one file: front matter between two lines of three hyphens, then Markdown. */
function readEditorial(file: string, text: string | Error): Briefing | CsvProblem {
  if (text instanceof Error) return { file, line: 0, reason: text.message };
  const fenced = FENCE.exec(text);
  if (fenced === null || fenced.index !== 0) {
    return {
      file,
      line: 1,
      reason: 'has no front matter; begin it with a line ---, then title, author and date, then a line ---',
    };
  }
  const lines = new LineCounter();
  const document = parseDocument(fenced[1] ?? '', { lineCounter: lines });
  // The opening line of hyphens is line 1.
  const lineAt = (offset: number | undefined): number => 1 + (offset === undefined ? 0 : lines.linePos(offset).line);
  const [broken] = document.errors;
  if (broken !== undefined)
    return {
      file,
      line: lineAt(broken.pos[0]),
      reason: broken.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? '',
    };
  const front = FrontMatterSchema.safeParse(document.toJS() ?? {});
  if (!front.success) {
    const [issue] = front.error.issues;
    const name = String(issue?.path[0] ?? '');
    const pair = name === '' ? undefined : document.get(name, true);
    const range = (pair as { range?: readonly number[] } | undefined)?.range;
    return {
      file,
      line: lineAt(range?.[0] ?? (name === '' ? 0 : undefined)),
      reason: name === '' ? 'front matter must be names with values, like title: Text' : `${name}: ${issue?.message}`,
    };
  }
  const body = text.slice(fenced[0].length).trim();
  if (body === '')
    return { file, line: text.trimEnd().split('\n').length, reason: 'has no text behind its front matter' };
  const { title, author, date, type, symbols, summary, id } = front.data;
  return {
    id: `ed-${id ?? slugOf(file)}`,
    type,
    title,
    author,
    date: Date.parse(date),
    summary: summary ?? firstParagraph(body),
    symbols: [...new Set(symbols)],
    readingMinutes: readingMinutes(body),
    body: `${body}\n`,
  };
}

/** The file name as an id; a digest when no usable character is left. */
function slugOf(file: string): string {
  const slug = basename(file, extname(file))
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  return slug === '' ? createHash('sha256').update(file).digest('hex').slice(0, 12) : slug;
}

/** The first paragraph of text, without its markup. */
function firstParagraph(body: string): string {
  const paragraph = body.split(/\r?\n\s*\r?\n/).find((part) => /^[^#|>`<!\-*\s]/.test(part)) ?? '';
  const plain = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\^[^\]]*\]|~~|[*_`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length <= SUMMARY_LENGTH ? plain : `${plain.slice(0, SUMMARY_LENGTH - 1).replace(/\s\S*$/, '')}…`;
}
