// Renderer: a description list, for pages in the form of a sheet.
import type { ReactNode } from 'react';
import type { HealthIndicator } from '../../shared/channels/state.ts';
import { texts } from '../../shared/text/texts.ts';
import { IndicatorIcon } from './glyph.tsx';
import './description-list.css';

export function DescriptionList({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return <dl className={narrow ? 'description-list narrow' : 'description-list'}>{children}</dl>;
}

export function DescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/**
 * An indicator and its text. `says` gives screen readers the state of the indicator, if the text does not.
 */
export function IndicatorLine({
  state,
  isAnnounced = true,
  children,
}: {
  state: HealthIndicator['state'];
  isAnnounced?: boolean;
  children: ReactNode;
}) {
  return (
    <span className="indicator-line">
      <IndicatorIcon state={state} />
      {isAnnounced && <span className="spoken">{texts.common.status.indicatorState[state]}: </span>}
      <span>{children}</span>
    </span>
  );
}
