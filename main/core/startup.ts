// Main, core: restores rows and states from the last run, before other modules start.
import { MAX_ALERTS } from '../../shared/channels/state.ts';
import type { StateMap } from '../../shared/settings/state-map.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Archive } from './archive/archive.ts';
import { assumedOf } from './ledger/entries.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { CoreModule } from './module.ts';
import type { Watch } from './profiles/watch.ts';
import type { RowTable } from './rows.ts';

export interface StartupDeps {
  readonly ledger: Ledger;
  readonly memory: Pick<Archive['memory'], 'rows'>;
  readonly watch: Pick<Watch, 'symbols'>;
  readonly rows: RowTable;
  /** The profile's state map. */
  readonly states: StateMap | undefined;
}

export function createStartup({
  ledger,
  memory,
  watch,
  rows,
  states,
}: StartupDeps): Required<Pick<CoreModule, 'start'>> {
  /** The ledger may have later transitions than the cached rows. */
  const recallStates = (): void => {
    for (const row of ledger.entries.newestSignals(MAX_ALERTS).reverse()) {
      const { transition } = row;
      if (transition !== null) rows.moved(transition, timestamp(row.received_ms), assumedOf(row).includes('time'));
    }
  };
  return {
    start() {
      // A ledger without such words is not searched for them.
      if (states !== undefined && ledger.metadata.get('state_words_notified') !== null)
        ledger.transaction(() => ledger.entries.mapStateWords(states));
      rows.keep(watch.symbols());
      rows.recall(memory.rows());
      recallStates();
    },
  };
}
