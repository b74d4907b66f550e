// Bench: every row, in the order of the table.
import type { Row } from './row.ts';
import { engineBar } from './rows/engine-bar.ts';
import { engineBatch } from './rows/engine-batch.ts';
import { fanout } from './rows/fanout.ts';
import { ingest } from './rows/ingest.ts';
import { ingestGrowth } from './rows/ingest-growth.ts';
import { relay } from './rows/relay.ts';

export const ROWS: readonly Row[] = [ingest, ingestGrowth, relay, fanout, engineBar, engineBatch];
