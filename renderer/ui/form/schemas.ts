// Renderer, pure: schemas of typed text, each with its error message.
import { z } from 'zod';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** Parses a text with `read`. If `read` returns null, the field shows `message`. */
export const readText = <Value>(read: (text: string) => Value | null, message: string) =>
  z.string().transform((text, context) => found(read(text), message, context));

/** As `readText`, and null for an empty text. */
export const readOptional = <Value>(read: (text: string) => Value | null, message: string) =>
  z.string().transform((text, context) => (text.trim() === '' ? null : found(read(text), message, context)));

function found<Value>(value: Value | null, message: string, context: z.RefinementCtx): Value {
  if (value !== null) return value;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Trimmed text. @param why returns the error message, or null */
export const checkText = (why: (text: string) => string | null) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const message = why(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** A whole number that `schema` accepts. */
export const wholeNumber = (schema: z.ZodType<number | null>, message: string) =>
  readText((text) => (/^\d{1,6}$/.test(text.trim()) ? (schema.safeParse(Number(text)).data ?? null) : null), message);

/**
 * Thousands may be separated, and a comma may be the decimal point: 1,234.50, 1,0845 or 0,985. 1,234 has
 * thousands. NaN: it is no number.
 */
export function typedNumber(text: string): number {
  const trimmed = text.trim();
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(trimmed)) return Number(trimmed.replaceAll(',', ''));
  return /^\d*[.,]?\d+$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
}

/** Trimmed; null for an empty text. */
export const optionalText = () => z.string().transform((text) => (text.trim() === '' ? null : text.trim()));

/**
 * Symbols separated by blanks, commas or semicolons, without duplicates; `wrong` has the other words, as
 * typed.
 */
export function symbolsIn(text: string): { readonly good: readonly string[]; readonly wrong: readonly string[] } {
  const tokens = text.split(/[\s,;]+/).filter(Boolean);
  const isGood = (token: string): boolean => isSymbol(normalizeSymbol(token));
  return {
    good: [...new Set(tokens.filter(isGood).map(normalizeSymbol))],
    wrong: [...new Set(tokens.filter((token) => !isGood(token)))],
  };
}

/** null: every symbol. */
export const optionalSymbols = (message: (wrong: readonly string[]) => string) =>
  z.string().transform((text, context) => {
    const { good, wrong } = symbolsIn(text);
    if (wrong.length > 0) context.addIssue({ code: 'custom', message: message(wrong) });
    return good.length === 0 ? null : [...good];
  });

/** Parses a draft with a function that returns the value, or the errors by path. */
export const readDraft = <Draft, Value>(read: (draft: Draft) => Result<Value, Readonly<Record<string, string>>>) =>
  z.custom<Draft>().transform((draft, context) => {
    const made = read(draft);
    if (made.ok) return made.value;
    for (const [path, message] of Object.entries(made.error))
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    return z.NEVER;
  });
