// Renderer, connection: the alarm of an outage: delay, channel, and the retries meanwhile.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { texts } from '../../../shared/text/texts.ts';
import { goTo } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Block } from '../../ui/panel-head.tsx';

export function OutageAlarmPanel({ details }: { details: ConnectionDetails | null }) {
  const outageAlarm = useApp((state) => state.features.alerting?.outage_alarm ?? null);
  const tier = useSnapshot((snapshot) => snapshot.notifier.tier);
  return (
    <Block heading={texts.connection.outageAlarm.heading}>
      <DescriptionList narrow>
        {outageAlarm !== null && (
          <DescriptionItem name={texts.connection.outageAlarm.after}>
            {texts.connection.outageAlarm.minutes(outageAlarm.market_minutes, outageAlarm.other_minutes)}{' '}
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'outage' })}>
              {texts.connection.outageAlarm.change}
            </button>
          </DescriptionItem>
        )}
        <DescriptionItem name={texts.connection.outageAlarm.how}>
          {texts.connection.outageAlarm.howText(tier === 'system')}
        </DescriptionItem>
        {details !== null && (
          <DescriptionItem name={texts.connection.outageAlarm.meanwhile}>
            {texts.connection.outageAlarm.polls(Math.round(details.polling.events / 1000))}
          </DescriptionItem>
        )}
      </DescriptionList>
    </Block>
  );
}
