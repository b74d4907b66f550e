// Renderer, connection: collects the values of the page's report on request.
import { useContext } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useServices } from '../../services.ts';
import { preferences } from '../../store/preferences.ts';
import { StoreContext } from '../../store/store.ts';
import { useModel } from './compatibility-details.tsx';
import { connectionReport } from './report.ts';

/** @returns a function that writes the report of the current state */
export function useReport(details: ConnectionDetails | null): () => string {
  const { clock, queries } = useServices();
  const store = useContext(StoreContext);
  const model = useModel();
  return () => {
    const state = store?.getState();
    if (state?.snapshot == null) return '';
    return connectionReport({
      snapshot: state.snapshot,
      details,
      selfTest: state.features.selfTest,
      key: queries.client.getQueryData(queries.options('key.state', {}).queryKey) ?? null,
      form: state.features.relay?.form ?? null,
      model,
      zone: preferences.read().zone,
      now: clock.now(),
    });
  };
}
