// Service, cluster: keys and accounts of all nodes, for the command line.
// Writes to the journal, but never leads or serves requests.
import { gunzipSync } from 'node:zlib';
import { messageOf } from '../../shared/lib/result.ts';
import { createKeyService, type KeyService } from '../accounts/key-service.ts';
import { environmentIn, openReplica, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { JournalUnavailable } from './journal.ts';
import { type JournalThread, startJournalThread } from './journal-thread.ts';
import { openReplicatedStore, type ReplicatedStore } from './replicated-store.ts';

/**
 * @param url of PostgreSQL
 * @throws StoreError for a database that cannot be reached or that no node has used yet
 */
export async function openClusterKeys(
  url: string,
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): Promise<KeyService> {
  const id = Buffer.from(randomBytes(9)).toString('base64url');
  const thread = startJournalThread({ url, node: id, binding: null }, () => undefined);
  try {
    const { store, environment } = await copyOf(thread, id);
    const database = {
      environment,
      keys: store.keys,
      usage: store.usage,
      meta: store.meta,
      transaction: written(store),
    };
    return {
      ...createKeyService(database, 'the cluster', now, randomBytes),
      async close() {
        store.close();
        await thread.close();
      },
    };
  } catch (error) {
    await thread.close();
    throw error instanceof StoreError
      ? error
      : new StoreError(`The database of --cluster cannot be used: ${messageOf(error)}`);
  }
}

/** A replica of the store that all nodes share. */
async function copyOf(thread: JournalThread, node: string) {
  const { snapshot, binding } = await thread.open();
  const store = openReplicatedStore({
    database: openReplica(snapshot === null ? null : gunzipSync(snapshot.body)),
    position: snapshot?.position ?? 0,
    entry: snapshot?.entry ?? '',
    journal: thread.journal,
    node,
    term: () => null,
    applied: () => undefined,
    lost: () => undefined,
  });
  store.catchUp();
  return { store, environment: environmentIn(binding) };
}

/** Runs transactions; their errors are one sentence for the user. */
const written =
  (store: ReplicatedStore): Store['transaction'] =>
  (work) => {
    try {
      return store.transaction(work);
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
      throw new StoreError(`${messageOf(error)}. It may have been written all the same: see "keys list".`);
    }
  };
