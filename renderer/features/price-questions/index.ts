// Renderer, price questions: exports to other folders.
export { QuestionButton, QuestionTag } from './question-button.tsx';
export { PriceQuestionDialogs } from './question-dialogs.tsx';
export { useAskedSymbols } from './question-request.ts';
