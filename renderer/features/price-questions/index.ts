// Renderer, price questions: exports to other folders.
export { PriceQuestionDialogs, QuestionButton, QuestionTag, useAskedSymbols } from './question-button.tsx';
