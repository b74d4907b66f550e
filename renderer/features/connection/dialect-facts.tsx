// Renderer, connection: how the service speaks, as it was heard.
import type { Dialect } from '../../../shared/channels/connection.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { dialectLines } from './lines.ts';

/** The model of the selected symbol's signal, else of any. */
export const useModel = (): string | null =>
  useBoard((board) => {
    const own = board.selected === null ? undefined : board.rows[board.selected]?.signal?.model_version;
    return own ?? Object.values(board.rows).find((row) => row.signal !== null)?.signal?.model_version ?? null;
  });

export function DialectFacts({ dialect }: { dialect: Dialect }) {
  const form = useApp((state) => state.wholes.relay?.form ?? null);
  const model = useModel();
  return (
    <Facts>
      {dialectLines(dialect, form, model).map(({ name, text, mono, known }) => (
        <Fact key={name} name={name}>
          <span className={`${mono ? 'mono' : ''} ${known ? '' : 't3'}`}>{text}</span>
        </Fact>
      ))}
    </Facts>
  );
}
