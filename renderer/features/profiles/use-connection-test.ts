// Renderer, profiles: the state of a connection test: request, result, and the wait for the stream.
import { useRef, useState } from 'react';
import type { Channels } from '../../../shared/channels/channels.ts';
import type { InputOf } from '../../../shared/channels/ends.ts';
import type { Check, ConnectionTest } from '../../../shared/channels/profiles.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';

export interface ConnectionTestState {
  readonly result: ConnectionTest | null;
  readonly busy: boolean;
  /** waiting: for the first byte of the stream. */
  readonly stream: Check | 'waiting' | null;
}
const NOTHING: ConnectionTestState = { result: null, busy: false, stream: null };

export function useConnectionTest() {
  const { intents } = useServices();
  const [state, setState] = useState<ConnectionTestState>(NOTHING);
  const turn = useRef(0);
  const forget = (): void => {
    turn.current += 1;
    setState(NOTHING);
  };
  /** Returns undefined if the test was discarded meanwhile. */
  const run = async (
    request: InputOf<Channels['profiles.test']>,
  ): Promise<Result<ConnectionTest, string> | undefined> => {
    turn.current += 1;
    const mine = turn.current;
    setState({ ...NOTHING, busy: true });
    const answer = await intents.ask('profiles.test', request);
    if (turn.current !== mine) return undefined;
    if (!answer.ok) {
      setState(NOTHING);
      return answer;
    }
    const result = answer.value;
    const { draft } = result;
    const isReached = result.checks.some(({ of, outcome }) => of === 'key' && outcome === 'good');
    setState({ result, busy: false, stream: draft !== null && isReached ? 'waiting' : null });
    if (draft !== null && isReached)
      void intents.ask('profiles.test_stream', { draft }).then((streamAnswer) => {
        const stream: Check = streamAnswer.ok
          ? streamAnswer.value
          : { of: 'stream', outcome: 'unknown', message: plainMessage(streamAnswer.error), detail: null };
        if (turn.current === mine)
          setState((now) => ({ ...now, stream: now.stream === 'waiting' ? stream : now.stream }));
      });
    return answer;
  };
  const stop = (): void =>
    setState((now) => ({
      ...now,
      stream: {
        of: 'stream',
        outcome: 'unknown',
        message: plainMessage(texts.addKey.streamStopped),
        detail: null,
      },
    }));
  return { ...state, run, stop, forget };
}
