// Service, cluster: the lane of a subscription: its deliveries are sent by the node that holds the lane.
import { hash } from 'node:crypto';

export const LANES = 32;

export const laneOf = (subscriptionId: string): number =>
  Number.parseInt(hash('sha256', subscriptionId).slice(0, 6), 16) % LANES;
