// Renderer, connection: the stream as a description list.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { streamLines } from './lines.ts';

export function StreamDetails({ details }: { details: ConnectionDetails }) {
  const zone = usePreference((preference) => preference.zone);
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const provable = useSnapshot((snapshot) => snapshot.connection.provable);
  const now = useNow();
  const lines = streamLines({ details, gaps, clock, provable, zone, now });
  return (
    <DescriptionList>
      {lines.map(({ name, text, mono }) => (
        <DescriptionItem key={name} name={name}>
          <span className={mono ? 'mono' : 'lines'}>{text}</span>
        </DescriptionItem>
      ))}
      {!provable && <DescriptionItem name="">{texts.connection.stream.unproved}</DescriptionItem>}
    </DescriptionList>
  );
}
