// Renderer, factors: what other folders may import.
export { FactorsView } from './factors-view.tsx';
export { FactorHistoryView } from './history-view.tsx';
