// Renderer, alert history: what other folders may import.
export { HistoryHead } from './history-head.tsx';
export { HistoryView } from './history-view.tsx';
export { useHistory } from './use-lines.ts';
