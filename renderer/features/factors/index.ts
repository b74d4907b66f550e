// Renderer, factors: exports to other folders.
export { FactorsView } from './factors-view.tsx';
export { FactorHistoryView } from './history-view.tsx';
