// Main, service: requests of a program without Electron, through the proxy that its environment names.
import { environmentProxy } from '../../service/network/environment-proxy.ts';
import { createOutbound, type Outbound, outboundFetch } from '../../service/network/outbound.ts';
import { UsageError } from '../host/command-line.ts';
import type { Machine } from '../host/machine.ts';

export interface ProcessNetwork extends Required<Pick<Machine, 'fetch' | 'findProxy'>> {
  readonly outbound: Outbound;
}

/** @throws UsageError for an address of a proxy that cannot be used */
export function openProcessNetwork(environment: NodeJS.ProcessEnv): ProcessNetwork {
  const found = environmentProxy(environment);
  if (!found.ok) throw new UsageError(found.error);
  const outbound = createOutbound(found.value);
  return { findProxy: found.value, fetch: outboundFetch(outbound), outbound };
}
