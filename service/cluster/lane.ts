// Service, cluster: the lane of a subscription; the holder of the lane sends its deliveries.
import { hash } from 'node:crypto';

export const LANES = 32;

export const laneOf = (subscriptionId: string): number =>
  Number.parseInt(hash('sha256', subscriptionId).slice(0, 6), 16) % LANES;
