// Renderer, pure: the draft of a condition on the share of a list: fields as typed, and errors by field.
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type BreadthCondition, BreadthConditionSchema } from '../../../shared/settings/breadth-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { typedNumber } from '../../ui/form/schemas.ts';

export interface BreadthDraft {
  /** Id of the list; empty: none is chosen. */
  readonly shareList: string;
  readonly share: string;
  readonly shareState: BreadthCondition['state'];
}

export const EMPTY_BREADTH: BreadthDraft = { shareList: '', share: '30', shareState: 2 };

export const breadthDraftOf = ({ list, percent, state }: BreadthCondition): BreadthDraft => ({
  shareList: list,
  share: String(percent),
  shareState: state,
});

/** @param lists ids of the watchlists @returns the condition, or the errors by field */
export function breadthIn(
  { shareList: list, share, shareState: state }: BreadthDraft,
  lists: readonly string[],
): Result<BreadthCondition, Readonly<Record<string, string>>> {
  const { problems } = texts.breadthRules;
  const read = BreadthConditionSchema.safeParse({ list, percent: typedNumber(share), state });
  if (read.success && lists.includes(list)) return ok(read.data);
  const isWrong = (field: string): boolean => read.error?.issues.some(({ path }) => path[0] === field) === true;
  return err({
    ...(lists.includes(list) ? {} : { shareList: problems.list }),
    ...(isWrong('percent') ? { share: problems.percent } : {}),
  });
}
