// Renderer, alert history: exports to other folders.
export { HistoryHead } from './history-head.tsx';
export { HistoryView } from './history-view.tsx';
export { useHistory } from './use-lines.ts';
export { Note, TracePath } from './why.tsx';
