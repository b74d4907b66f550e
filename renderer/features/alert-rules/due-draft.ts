// Renderer, pure: the draft of a condition on what is due: fields as typed, and errors by field.
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type DueCondition, DueConditionSchema, MOST_DUE_SESSIONS } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { typedNumber } from '../../ui/form/schemas.ts';

export interface DueDraft {
  readonly dueWhen: 'any' | DueCondition['when'];
  readonly dueKinds: DueCondition['kinds'];
  readonly dueSessions: string;
}

export const dueDraftOf = (due: DueCondition | null): DueDraft => ({
  dueWhen: due?.when ?? 'any',
  dueKinds: due?.kinds ?? ['earnings'],
  dueSessions: String(due?.sessions ?? 2),
});

/** @returns the condition, null for none, or the errors by field */
export function dueIn({
  dueWhen: when,
  dueKinds: kinds,
  dueSessions,
}: DueDraft): Result<DueCondition | null, Readonly<Record<string, string>>> {
  if (when === 'any') return ok(null);
  const read = DueConditionSchema.safeParse({ when, kinds, sessions: typedNumber(dueSessions) });
  if (read.success) return ok(read.data);
  const { editor } = texts.due;
  const fields = read.error.issues.map(({ path }) => path[0]);
  return err({
    ...(fields.includes('kinds') ? { dueKinds: editor.noKinds } : {}),
    ...(fields.includes('sessions') ? { dueSessions: editor.badSessions(MOST_DUE_SESSIONS) } : {}),
  });
}
