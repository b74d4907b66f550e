// Renderer, alert rules: the fields of a condition on a price, and the status of its symbols.
import { useFormContext, useWatch } from 'react-hook-form';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { quoteOf } from '../../../shared/settings/price-conditions.ts';
import { price } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { SegmentedField, TextField } from '../../ui/form/fields.tsx';
import { PRICE_CONDITIONS } from './price-draft.ts';
import { priceStatusOf, priceStatusText } from './price-status.ts';
import type { RuleDraft } from './rule-draft.ts';

const { fields } = texts.priceRules;

export function PriceFields() {
  const { control } = useFormContext<RuleDraft>();
  const [condition, window] = useWatch({ control, name: ['condition', 'window'] });
  const isChange = condition === 'up' || condition === 'down';
  const now = usePresentPrice();
  return (
    <>
      <SegmentedField
        control={control}
        name="condition"
        label={fields.condition}
        options={PRICE_CONDITIONS.map((value) => ({ value, label: fields.conditions[value] }))}
      />
      <div className="al-fields">
        {isChange ? (
          <TextField control={control} name="percent" label={fields.percent} inputMode="decimal" />
        ) : (
          <TextField control={control} name="level" label={fields.level} placeholder={now} inputMode="decimal" />
        )}
        {isChange && (
          <SegmentedField
            control={control}
            name="window"
            label={fields.window}
            options={(['close', 'minutes'] as const).map((value) => ({ value, label: fields.windows[value] }))}
          />
        )}
        {isChange && window === 'minutes' && (
          <TextField control={control} name="minutes" label={fields.minutes} inputMode="numeric" />
        )}
      </div>
      <p className="t3">{fields.note}</p>
    </>
  );
}

/** The present price of the rule's only symbol; undefined: there are several, or it is not known. */
function usePresentPrice(): string | undefined {
  const { control } = useFormContext<RuleDraft>();
  const [scope, symbols] = useWatch({ control, name: ['scope', 'symbols'] });
  const symbol = normalizeSymbol(symbols);
  const row = useSnapshot(({ rows }) => rows[symbol]);
  const quote = scope !== 'symbols' || row === undefined ? 'none' : quoteOf(row);
  return quote === 'none' || quote === 'stale' ? undefined : fields.now(symbol, price(quote.price));
}

/** @param rule as typed; null: a field is invalid */
export function PriceStatusNote({ rule }: { rule: Rule | null }) {
  const lines = usePriceStatus(rule);
  return (
    <p className="t2 al-price-status" role="status">
      {lines.join(' ')}
    </p>
  );
}

/** The status of a rule on prices, in sentences; empty for other rules. */
export function usePriceStatus(rule: Rule | null): readonly string[] {
  const rows = useSnapshot((snapshot) => (rule?.price == null ? null : snapshot.rows));
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const status = rule === null || rows === null ? null : priceStatusOf(rule, rows, watchlists);
  return rule === null || status === null ? [] : priceStatusText(rule, status);
}
