// Renderer, connection: heartbeats of the last 24 minutes; a tall bar is a long silence before one.
import { useState } from 'react';
import type { Beat, ConnectionDetails } from '../../../shared/channels/connection.ts';
import { span, timeOfDay } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Stepper, stepBy } from '../../ui/stepper.tsx';

const SHOWN = 24 * 60_000;
/** Length of a silence whose bar has the full height, in heartbeat intervals. */
const TALLEST = 4;
/** Beyond this many intervals the watchdog considers a stream dead. */
const LATE = 2.5;
const HEIGHT = 22;

export function Beats({ stream }: { stream: ConnectionDetails['stream'] }) {
  const now = useNow();
  const zone = usePreference((preference) => preference.zone);
  const [at, setAt] = useState<number | null>(null);
  const { beats, heartbeat } = stream;
  const last = beats.length - 1;
  const index = Math.min(at ?? last, last);
  const isLate = (beat: Beat): boolean => heartbeat !== null && beat.gap > LATE * heartbeat;
  const late = beats.filter(isLate).length;
  const worst = Math.max(0, ...beats.map((beat) => beat.gap));
  const chosen = beats[index];
  const spoken = (beat: Beat): string =>
    texts.connection.beats.point(timeOfDay(Date.parse(beat.at), zone), span(beat.gap), isLate(beat));
  return (
    <figure className="beats" aria-label={texts.connection.beats.name}>
      <figcaption className="cond t3">
        {texts.connection.beats.label}
        <span className="spoken">. {texts.connection.beats.summary(beats.length, late, span(worst))}</span>
      </figcaption>
      {beats.length === 0 ? (
        <p className="t3">{texts.connection.beats.none}</p>
      ) : (
        <div className="beats-strip">
          <svg width="100%" height={HEIGHT} aria-hidden="true">
            {beats.map((beat, position) => {
              const tall = Math.max(4, Math.min(1, beat.gap / (TALLEST * (heartbeat ?? beat.gap))) * HEIGHT);
              const left = 100 - ((now - Date.parse(beat.at)) / SHOWN) * 100;
              return (
                <rect
                  key={beat.at}
                  className={`${isLate(beat) ? 'late' : ''} ${position === index && at !== null ? 'chosen' : ''}`}
                  x={`${Math.max(0, Math.min(99.5, left)).toFixed(2)}%`}
                  y={HEIGHT - tall}
                  width={isLate(beat) ? 6 : 4}
                  height={tall}
                />
              );
            })}
          </svg>
          <Stepper
            label={texts.connection.beats.name}
            last={last}
            index={index}
            text={chosen === undefined ? undefined : spoken(chosen)}
            step={(key, shift) => stepBy(index, last, key, shift, 10)}
            onMove={setAt}
            onLeave={() => setAt(null)}
          />
        </div>
      )}
      {at !== null && chosen !== undefined && <p className="t2 cond">{spoken(chosen)}</p>}
    </figure>
  );
}
