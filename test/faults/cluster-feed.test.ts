// Faults, test: a cluster that follows a vendor of prices, killed, cut off and misinformed.
import { describe, expect, test } from 'vitest';
import { FEED_MUTANTS, type FeedMutant, liveClusterWithFeed } from './cluster-feed-simulation.ts';
import { simulationSeeds } from './simulation-budget.ts';
