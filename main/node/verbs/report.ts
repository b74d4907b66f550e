// Main, command line: `barograph report`: a problem report, printed for its user to read, or written to a file that only its user can read.
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import manifest from '../../../package.json' with { type: 'json' };
import { UsageError } from '../../core/host/command-line.ts';
import { openDataFolder, replaceFile } from '../../core/host/data-folder.ts';
import { writeReport } from '../../core/host/report.ts';
import { openSettings } from './open-settings.ts';

export function reportVerb({ dataDir, out }: { readonly dataDir: string; readonly out?: string }): void {
  if (out !== undefined && existsSync(out)) throw new UsageError(`--out ${out}: there is such a file already. Give another name.`);
  const { DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS } = process.env;
  const text = writeReport({
    dataFolder: openDataFolder(dataDir),
    settings: openSettings(dataDir).read(),
    versions: [
      ['Barograph', manifest.version],
      ['Node', process.versions.node],
      ['system', `${process.platform} ${process.arch} ${release()}`],
      ['display', WAYLAND_DISPLAY ? 'Wayland' : DISPLAY ? 'X11' : 'none'],
      ['session bus', DBUS_SESSION_BUS_ADDRESS ? 'named' : 'not named'],
    ],
    now: new Date().toISOString(),
  });
  if (out === undefined) process.stdout.write(text);
  else {
    replaceFile(out, text);
    console.log(`The report is in ${out}. Read it before you give it to anybody.`);
  }
}
