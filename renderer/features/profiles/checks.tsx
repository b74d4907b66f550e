// Renderer, profiles: what was tried of a service, line by line: what came of it as a lamp and as words.
import { useEffect, useState } from 'react';
import type { Check } from '../../../shared/channels/profiles.ts';
import { useServices } from '../../services.ts';
import { en } from '../../text/en.ts';
import { profileWords as words } from '../../text/profiles.ts';
import { LampMark } from '../../ui/glyph.tsx';
import type { Trying } from './use-trial.ts';

const LAMP = { good: 'lit', bad: 'out', unknown: 'partial' } as const;

export function Checks({ trying: { trial, busy, stream }, onStop }: { trying: Trying; onStop: () => void }) {
  if (busy)
    return (
      <p className="trial t2" role="status">
        {words.key.trying}
      </p>
    );
  if (trial === null) return null;
  return (
    <ul className="trial" aria-label={words.key.tryIt}>
      {trial.checks.map((check) => (
        <Line key={check.of} check={check} />
      ))}
      {stream === 'waiting' ? <Waiting onStop={onStop} /> : stream !== null && <Line check={stream} />}
    </ul>
  );
}

function Line({ check: { outcome, words: what, detail } }: { check: Check }) {
  return (
    <li>
      <LampMark state={LAMP[outcome]} />
      <span>
        <span className="spoken">{words.key.lit[outcome]}: </span>
        {what}
      </span>
      <span className="t3 cond">{detail}</span>
    </li>
  );
}

const SECOND = 1000;

function Waiting({ onStop }: { onStop: () => void }) {
  const { clock } = useServices();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => clock.after(SECOND, () => setSeconds(seconds + 1)), [clock, seconds]);
  return (
    <li>
      <LampMark state="partial" />
      <span>{words.key.waiting}</span>
      <span className="t3 cond">
        {words.key.of(seconds)}{' '}
        <button type="button" className="link" onClick={onStop}>
          {en.stop}
        </button>
      </span>
    </li>
  );
}
