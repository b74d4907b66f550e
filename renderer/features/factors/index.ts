// Renderer, factors: the front door.
export { FactorsView } from './factors-view.tsx';
export { FactorHistoryView } from './history-view.tsx';
