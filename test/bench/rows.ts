// Bench: every row, in the order of the table.
import type { Row } from './row.ts';
import { CLUSTER_APPEND } from './rows/cluster-append.ts';
import { clusterFailover } from './rows/cluster-failover.ts';
import { clusterFollow } from './rows/cluster-follow.ts';
import { CLUSTER_GROWTH } from './rows/cluster-growth.ts';
import { clusterMemory } from './rows/cluster-memory.ts';
import { clusterStreams } from './rows/cluster-streams.ts';
import { engineBar } from './rows/engine-bar.ts';
import { engineBatch } from './rows/engine-batch.ts';
import { fanout } from './rows/fanout.ts';
import { feedDay } from './rows/feed-day.ts';
import { feedIngest } from './rows/feed-ingest.ts';
import { firstPaint } from './rows/first-paint.ts';
import { footprint } from './rows/footprint.ts';
import { FULL_LEDGER } from './rows/full-ledger.ts';
import { GROWTH } from './rows/growth.ts';
import { ingest } from './rows/ingest.ts';
import { ingestGrowth } from './rows/ingest-growth.ts';
import { paint } from './rows/paint.ts';
import { peerChart } from './rows/peer-chart.ts';
import { peerEngine } from './rows/peer-engine.ts';
import { peerFanout } from './rows/peer-fanout.ts';
import { peerMemory } from './rows/peer-memory.ts';
import { peerNotify } from './rows/peer-notify.ts';
import { rebuild } from './rows/rebuild.ts';
import { relay } from './rows/relay.ts';
import { search } from './rows/search.ts';
import { timeline } from './rows/timeline.ts';

export const ROWS: readonly Row[] = [
  ingest,
  ingestGrowth,
  paint,
  relay,
  fanout,
  feedIngest,
  feedDay,
  rebuild,
  peerFanout,
  peerNotify,
  peerMemory,
  engineBar,
  engineBatch,
  peerEngine,
  timeline,
  peerChart,
  firstPaint,
  search,
  ...GROWTH,
  ...FULL_LEDGER,
  footprint,
  ...CLUSTER_APPEND,
  clusterFollow,
  clusterStreams,
  clusterFailover,
  ...CLUSTER_GROWTH,
  clusterMemory,
];
