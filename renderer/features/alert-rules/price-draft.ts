// Renderer, pure: the draft of a condition on a price: fields as typed, and errors by field.

import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  CHANGE_MINUTES,
  CHANGE_PERCENT,
  type PriceCondition,
  PriceConditionSchema,
} from '../../../shared/settings/price-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { typedNumber } from '../../ui/form/schemas.ts';

export const PRICE_CONDITIONS = ['above', 'below', 'either', 'up', 'down'] as const;

export interface PriceDraft {
  readonly condition: (typeof PRICE_CONDITIONS)[number];
  readonly level: string;
  readonly percent: string;
  readonly window: 'close' | 'minutes';
  readonly minutes: string;
}

export const EMPTY_PRICE: PriceDraft = { condition: 'below', level: '', percent: '3', window: 'close', minutes: '60' };

export function priceDraftOf(condition: PriceCondition): PriceDraft {
  if (condition.kind === 'level')
    return {
      ...EMPTY_PRICE,
      condition: condition.direction,
      level: Number.isNaN(condition.level) ? '' : String(condition.level),
    };
  return {
    ...EMPTY_PRICE,
    condition: condition.direction,
    percent: String(condition.percent),
    window: condition.minutes === null ? 'close' : 'minutes',
    minutes: String(condition.minutes ?? EMPTY_PRICE.minutes),
  };
}

/** @returns the condition, or the errors by field */
export function priceIn(draft: PriceDraft): Result<PriceCondition, Readonly<Record<string, string>>> {
  const { condition: direction } = draft;
  const isLevel = direction === 'above' || direction === 'below' || direction === 'either';
  const read = PriceConditionSchema.safeParse(
    isLevel
      ? { kind: 'level', direction, level: typedNumber(draft.level) }
      : {
          kind: 'change',
          direction,
          percent: typedNumber(draft.percent),
          minutes: draft.window === 'close' ? null : typedNumber(draft.minutes),
        },
  );
  if (read.success) return ok(read.data);
  const { problems } = texts.priceRules;
  const messages: Readonly<Record<string, string>> = {
    level: problems.level,
    percent: problems.percent(CHANGE_PERCENT.least, CHANGE_PERCENT.most),
    minutes: problems.minutes(CHANGE_MINUTES.least, CHANGE_MINUTES.most),
  };
  return err(
    Object.fromEntries(
      read.error.issues.map(({ path: [field] }) => [String(field), messages[String(field)] ?? problems.level]),
    ),
  );
}
