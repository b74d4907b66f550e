// Test harness: a network whose requests go to a function.
import type { Outbound } from '../../service/network/outbound.ts';

export const outboundOver =
  (fetch: (url: string, init: RequestInit) => Promise<Response>): Outbound =>
  async () => ({ way: 'directly', agent: undefined, fetch: (url, init = {}) => fetch(url, init) });
