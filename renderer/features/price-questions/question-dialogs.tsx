// Renderer, price questions: the open question, over any page; it closes when it is decided.
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { lazyDialog } from '../../ui/lazy.tsx';
import { closeQuestion, useRequest } from './question-request.ts';

const QuestionDialog = lazyDialog(
  texts.priceQuestions.dialog,
  async () => (await import('./question-dialog.tsx')).QuestionDialog,
);

export function PriceQuestionDialogs() {
  const symbol = useRequest();
  const signal = useSnapshot(({ rows }) => (symbol === null ? null : (rows[symbol]?.signal ?? null)));
  const question = signal?.price_question ?? null;
  return signal === null || question === null ? null : (
    <QuestionDialog key={`${signal.symbol} ${question.date}`} {...{ signal, question }} onClose={closeQuestion} />
  );
}
