// Renderer, connection: the service's compatibility, as observed.
import type { Compatibility } from '../../../shared/channels/connection.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { compatibilityLines } from './lines.ts';

/** The model of the selected symbol's signal, else of any signal. */
export const useModel = (): string | null =>
  useSnapshot((snapshot) => {
    const own = snapshot.selected === null ? undefined : snapshot.rows[snapshot.selected]?.signal?.model_version;
    return own ?? Object.values(snapshot.rows).find((row) => row.signal !== null)?.signal?.model_version ?? null;
  });

export function CompatibilityDetails({ compatibility }: { compatibility: Compatibility }) {
  const form = useApp((state) => state.features.relay?.form ?? null);
  const model = useModel();
  return (
    <DescriptionList>
      {compatibilityLines(compatibility, form, model).map(({ name, text, mono, known }) => (
        <DescriptionItem key={name} name={name}>
          <span className={`${mono ? 'mono' : ''} ${known ? '' : 't3'}`}>{text}</span>
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}
