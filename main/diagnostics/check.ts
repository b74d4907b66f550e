// Main, diagnostics: the result of a check, all results with their counts, and their lines.
import { z } from 'zod';
import { oneLine } from '../host/command-line.ts';
import { withoutSecrets } from '../host/secrets.ts';

const CheckSchema = z.strictObject({
  /** Subject of the check, as "stream". */
  name: z.string(),
  /** Profile of the check; null: this computer. */
  profile: z.string().nullable(),
  status: z.enum(['ok', 'warn', 'fail']),
  /** One or more sentences. */
  found: z.string(),
  /** The remedy; null where all is well. */
  cure: z.string().nullable(),
});
export type Check = z.infer<typeof CheckSchema>;

const count = z.number().int().nonnegative();
export const DiagnosisSchema = z.strictObject({
  checks: z.array(CheckSchema),
  ok: count,
  warnings: count,
  failed: count,
});
export type Diagnosis = z.infer<typeof DiagnosisSchema>;

/** A check without its profile. */
export type Finding = Omit<Check, 'profile'>;
export const good = (name: string, found: string): Finding => ({ name, status: 'ok', found, cure: null });
export const warn = (name: string, found: string, cure: string): Finding => ({ name, status: 'warn', found, cure });
export const fail = (name: string, found: string, cure: string): Finding => ({ name, status: 'fail', found, cure });

/** @param secrets texts that must be hidden, also where they do not look like a key */
export function diagnose(checks: readonly Check[], secrets: readonly string[]): Diagnosis {
  const clean = (text: string): string =>
    oneLine(
      withoutSecrets(
        secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '[hidden]')), text),
      ),
    );
  const number = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
  return DiagnosisSchema.parse({
    checks: checks.map((check) => ({
      ...check,
      found: clean(check.found),
      cure: check.cure === null ? null : clean(check.cure),
    })),
    ok: number('ok'),
    warnings: number('warn'),
    failed: number('fail'),
  });
}

const STATUS_LABELS: Readonly<Record<Check['status'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };
const nameOf = ({ profile, name }: Check): string => (profile === null ? name : `${profile}: ${name}`);

/** One line per check, and the counts. */
export function linesOf({ checks, ok, warnings, failed }: Diagnosis): string[] {
  const width = Math.max(0, ...checks.map((check) => nameOf(check).length));
  return [
    ...checks.map((check) => [STATUS_LABELS[check.status], nameOf(check).padEnd(width), sentence(check)].join('  ')),
    `${ok} ok, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${failed} failed`,
  ];
}

const sentence = ({ found, cure }: Check): string => (cure === null ? found : `${found} ${cure}`);
export const exitCode = ({ failed }: Diagnosis): number => (failed === 0 ? 0 : 1);
