// Renderer, price questions: the controls that open the question about a symbol's price.
import { texts } from '../../../shared/text/texts.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { isAsked, openQuestion } from './question-request.ts';

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
