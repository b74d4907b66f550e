// Renderer: says on every page that a past moment is shown, names the briefing of then, and leads back to now.

import { weekdayTime, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useChannelQuery, useSettled } from '../../queries/use-channel-query.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { useShownMoment } from '../../store/shown-moment.ts';
import { Icon } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { useDays } from './as-shown.tsx';
import { backToNow } from './back-to-now.ts';
import './time.css';

const time = texts.time;
/** While the moment moves, the slider speaks; and no briefing is read for each day, ms. */
const SETTLE_MS = 400;

export function PastMark() {
  const at = useShownMoment();
  const zone = usePreference((preference) => preference.zone);
  const isSettled = useSettled(String(at), SETTLE_MS);
  useShortcuts('everywhere', { close: () => (at === null ? false : backToNow()) });
  const moment = at === null ? '' : `${weekdayTime(at, zone)} ${zoneName(zone)}`;
  return (
    <>
      <div className="spoken" role="status">
        {at === null ? '' : isSettled && time.spoken(moment)}
      </div>
      {at !== null && (
        <section className="banner past-mark" aria-label={time.mark}>
          <Icon name="clock" size={15} />
          <p className="grow ell">
            <b>{time.shown(moment)}</b> <DaysNotice /> <span className="t2">{time.rest}</span>
          </p>
          <BriefingThen at={isSettled ? at : null} />
          <button type="button" className="btn primary" aria-keyshortcuts="Escape" onClick={backToNow}>
            {time.backToNow}
          </button>
        </section>
      )}
    </>
  );
}

/** Why every row is unknown: its days are being read, or could not be. */
function DaysNotice() {
  const { data, error, isFetching } = useDays(true, false);
  const isMissing = data === undefined;
  return <span role="status">{isMissing && (isFetching ? time.reading : error !== null && time.notRead)}</span>;
}

/** The last briefing published until then. @param at null: it moves */
function BriefingThen({ at }: { at: number | null }) {
  const { data } = useChannelQuery('briefings.list', at === null ? null : { to: timestamp(at), limit: 1 });
  const briefing = data?.rows[0];
  if (briefing === undefined) return null;
  return (
    <button
      type="button"
      className="btn quiet past-briefing"
      title={briefing.title}
      onClick={() => goTo({ page: 'briefings', item: briefing.id })}
    >
      <span className="ell">{time.briefingThen(briefing.title)}</span>
    </button>
  );
}
