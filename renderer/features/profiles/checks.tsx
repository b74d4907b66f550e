// Renderer, profiles: the results of a connection test, each as an indicator and text.
import { type ReactNode, useEffect, useState } from 'react';
import type { Check } from '../../../shared/channels/profiles.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';

import { IndicatorIcon } from '../../ui/glyph.tsx';
import type { ConnectionTestState } from './use-connection-test.ts';

const INDICATOR_STATE = { good: 'ok', bad: 'down', unknown: 'degraded' } as const;

export function Checks({
  connectionTest: { result, busy, stream },
  onStop,
}: {
  connectionTest: ConnectionTestState;
  onStop: () => void;
}) {
  if (busy)
    return (
      <p className="connection-test t2" role="status">
        {texts.addKey.trying}
      </p>
    );
  if (result === null) return null;
  return (
    <CheckList checks={result.checks}>
      {stream === 'waiting' ? <Waiting onStop={onStop} /> : stream !== null && <Line check={stream} />}
    </CheckList>
  );
}

/** Results in their order; `children` are further lines. */
export const CheckList = ({ checks, children }: { checks: readonly Check[]; children?: ReactNode }) => (
  <ul className="connection-test" aria-label={texts.addKey.tryIt}>
    {checks.map((check, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: one subject may have several lines, which never move.
      <Line key={index} check={check} />
    ))}
    {children}
  </ul>
);

function Line({ check: { outcome, message: what, detail } }: { check: Check }) {
  return (
    <li>
      <IndicatorIcon state={INDICATOR_STATE[outcome]} />
      <span>
        <span className="spoken">{texts.addKey.checkOutcome[outcome]}: </span>
        {textOf(what)}
      </span>
      <span className="t3 cond">{optionalText(detail)}</span>
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
      <IndicatorIcon state="degraded" />
      <span>{texts.addKey.waiting}</span>
      <span className="t3 cond">
        {texts.addKey.of(seconds)}{' '}
        <button type="button" className="link" onClick={onStop}>
          {texts.common.stop}
        </button>
      </span>
    </li>
  );
}
