// Main, host: reads when a process started, to tell it from a later process with the same number.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the system's text for the start of a process: equal texts mean the same process. null: no such
 * process, or the system does not show it.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  try {
    if (platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the program's name, which may contain blanks and brackets; the 22nd is the start.
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      return ticks === undefined ? null : `${boot} ${ticks}`;
    }
    if (platform === 'win32') return null;
    // ps prints local time, which would change with the user's time zone.
    const options = { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' }, timeout: 2_000 } as const;
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || null;
  } catch {
    return null;
  }
}
