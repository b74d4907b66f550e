// Renderer: the symbols of an alert of market breadth, and whether it is over.
import type { Breadth } from '../../../shared/settings/breadth-conditions.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';

interface BreadthTextProps {
  readonly breadth: Breadth;
  readonly overSince?: string | undefined;
}

export function BreadthText({ breadth, overSince }: BreadthTextProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return (
    <div className="foreign">
      {overSince !== undefined && (
        <p className="md">{texts.breadth.over(shortTimestamp(Date.parse(overSince), zone, now))}</p>
      )}
      <p className="foreign-text">{texts.breadth.symbols(breadth)}</p>
      <p className="t2">{texts.breadth.asked(breadth)}</p>
    </div>
  );
}
