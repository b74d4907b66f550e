// Service, command line: flags of the dashboard that exclude each other, and warnings at its start.
import { isLoopback } from '../../shared/lib/loopback.ts';
import type { DashboardScope } from '../../shared/wire/dashboard.ts';
import { defaultScopes } from '../proxy/access.ts';

/** Arguments of the dashboard. */
export interface DashboardFlags {
  readonly dashboardHost: string | null;
  readonly dashboardUrl: string | null;
  readonly dashboardOpen: boolean;
  readonly dashboardScopes: readonly DashboardScope[] | null;
  readonly publicUrl: string | null;
}

/** Returns why an open dashboard cannot have this address, or null. */
export function openConflict({ dashboardHost, dashboardUrl, dashboardScopes }: Partial<DashboardFlags>): string | null {
  if (dashboardScopes?.includes('account') === true)
    return '--dashboard-open gives nobody the scope account: keys would be issued to every program of this computer';
  if (typeof dashboardHost === 'string' && !isLoopback(dashboardHost))
    return '--dashboard-open is for programs of this computer: leave out --dashboard-host, or begin sessions with the one-time link';
  if (typeof dashboardUrl === 'string')
    return '--dashboard-open is for programs of this computer, and --dashboard-url names an address for others: leave one of them out';
  return null;
}

/** @param address at which it listens */
export function dashboardWarnings(flags: DashboardFlags, address: string): string[] {
  const { dashboardHost, dashboardUrl, dashboardOpen, dashboardScopes, publicUrl } = flags;
  const warnings: string[] = [];
  if (dashboardOpen)
    warnings.push(
      `--dashboard-open lets every program and user of this computer use the service at ${address} without a key (${(dashboardScopes ?? defaultScopes(true)).join(', ')})`,
    );
  const url = dashboardUrl ?? (dashboardHost === null ? null : publicUrl);
  const reached = [dashboardHost, url === null ? null : new URL(url).hostname];
  if (!url?.startsWith('https:') && reached.some((host) => host !== null && !isLoopback(host)))
    warnings.push(
      'the dashboard answers other computers over plain http, where its sessions can be read. Put TLS in front of it, and name that address with --dashboard-url',
    );
  return warnings;
}
