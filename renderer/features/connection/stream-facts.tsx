// Renderer, connection: the stream by name and value.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBoard } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { streamLines } from './lines.ts';

export function StreamFacts({ details }: { details: ConnectionDetails }) {
  const zone = usePreference((preference) => preference.zone);
  const gaps = useBoard((board) => board.gaps);
  const clock = useBoard((board) => board.connection.clock);
  const provable = useBoard((board) => board.connection.provable);
  const now = useNow();
  const lines = streamLines({ details, gaps, clock, provable, zone, now });
  return (
    <Facts>
      {lines.map(({ name, text, mono }) => (
        <Fact key={name} name={name}>
          <span className={mono ? 'mono' : 'lines'}>{text}</span>
        </Fact>
      ))}
      {!provable && <Fact name="">{words.stream.unproved}</Fact>}
    </Facts>
  );
}
