// Renderer, profiles: trying a key: what was asked and what came of it, one step after the other; the last one waits for the stream and can be stopped.
import { useRef, useState } from 'react';
import type { Channels } from '../../../shared/channels/channels.ts';
import type { InputOf } from '../../../shared/channels/ends.ts';
import type { Check, Trial } from '../../../shared/channels/profiles.ts';
import { useServices } from '../../services.ts';
import { profileWords as words } from '../../text/profiles.ts';

export interface Trying {
  readonly trial: Trial | null;
  readonly busy: boolean;
  /** waiting: for the first byte of the stream. */
  readonly stream: Check | 'waiting' | null;
  readonly problem: string | null;
}
const NOTHING: Trying = { trial: null, busy: false, stream: null, problem: null };

export function useTrial() {
  const { intents } = useServices();
  const [state, setState] = useState<Trying>(NOTHING);
  const turn = useRef(0);
  const forget = (): void => {
    turn.current += 1;
    setState(NOTHING);
  };
  const look = async (wish: InputOf<Channels['profiles.try']>): Promise<Trial | null> => {
    turn.current += 1;
    const mine = turn.current;
    setState({ ...NOTHING, busy: true });
    const answer = await intents.ask('profiles.try', wish);
    if (turn.current !== mine) return null;
    if (!answer.ok) {
      setState({ ...NOTHING, problem: answer.error });
      return null;
    }
    const trial = answer.value;
    const { draft } = trial;
    const isReached = trial.checks.some(({ of, outcome }) => of === 'key' && outcome === 'good');
    setState({ trial, busy: false, problem: null, stream: draft !== null && isReached ? 'waiting' : null });
    if (draft !== null && isReached)
      void intents.ask('profiles.try_stream', { draft }).then((heard) => {
        const stream: Check = heard.ok
          ? heard.value
          : { of: 'stream', outcome: 'unknown', words: heard.error, detail: '' };
        if (turn.current === mine)
          setState((now) => ({ ...now, stream: now.stream === 'waiting' ? stream : now.stream }));
      });
    return trial;
  };
  const stop = (): void =>
    setState((now) => ({
      ...now,
      stream: { of: 'stream', outcome: 'unknown', words: words.key.streamStopped, detail: '' },
    }));
  return { ...state, look, stop, forget };
}
