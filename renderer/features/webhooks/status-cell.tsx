// Renderer, webhooks: the status of a table row, as an indicator and text.
import { IndicatorLine } from '../../ui/description-list.tsx';
import type { StatusLine } from './status.ts';

export const StatusCell = ({ state, text }: StatusLine) => (
  <IndicatorLine state={state} isAnnounced={false}>
    {text}
  </IndicatorLine>
);
