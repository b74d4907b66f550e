// Renderer, price questions: the controls that open the question about a symbol's price.

import type { Row } from '../../../shared/channels/state.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { useSnapshot } from '../../store/store.ts';
import { createDialogSlice } from '../../store/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazyDialog } from '../../ui/lazy.tsx';

const messages = texts.priceQuestions;

/** In the header of a symbol: says how the price is used until it is decided. */
export function QuestionTag({ symbol, question }: { symbol: string; question: PriceQuestion }) {
  return (
    <button type="button" className="tag fault" title={question.reason} onClick={() => openQuestion(symbol)}>
      {messages.open[question.counts_as]} <span className="spoken">{messages.decideOn(symbol)}</span>
    </button>
  );
}

interface QuestionButtonProps {
  readonly symbol: string;
  readonly className?: string;
  /** Shows the symbol, which screen readers always hear. */
  readonly isNamed?: boolean;
  readonly tabIndex?: 0 | -1;
}

/** Beside what rests on a price in question, while it needs a decision. */
export function QuestionButton({ symbol, className = '', isNamed = false, tabIndex }: QuestionButtonProps) {
  const isOpen = useSnapshot(({ rows }) => isAsked(rows[symbol]));
  if (!isOpen) return null;
  return (
    <button type="button" className={`btn ${className}`} tabIndex={tabIndex} onClick={() => openQuestion(symbol)}>
      <Icon name="warn" />
      {messages.decide} <span className={isNamed ? undefined : 'spoken'}>{symbol}</span>
    </button>
  );
}

const QuestionDialog = lazyDialog(
  texts.priceQuestions.dialog,
  async () => (await import('./question-dialog.tsx')).QuestionDialog,
);

/** The open question, over any page; it closes when it is decided. */
export function PriceQuestionDialogs() {
  const symbol = useRequest();
  const signal = useSnapshot(({ rows }) => (symbol === null ? null : (rows[symbol]?.signal ?? null)));
  const question = signal?.price_question ?? null;
  return signal === null || question === null ? null : (
    <QuestionDialog key={`${signal.symbol} ${question.date}`} {...{ signal, question }} onClose={closeQuestion} />
  );
}

/** By symbol. */
const { use: useRequest, open: openQuestion, close: closeQuestion } = createDialogSlice<string>('price question');

/** Whether a price of the symbol counts and needs a decision. */
const isAsked = (row: Row | undefined): boolean => row?.signal?.price_question?.counts_as === 'price';

/** The symbols whose price counts and needs a decision, joined by spaces: equal ones render nothing again. */
export const useAskedSymbols = (): string =>
  useSnapshot(({ rows }) =>
    Object.values(rows)
      .filter(isAsked)
      .map(({ symbol }) => symbol)
      .sort()
      .join(' '),
  );
