// Main, command line: `barograph report`: prints a problem report, or writes it to a private file.
import { existsSync } from 'node:fs';
import { replaceFile } from '../../core/files/private-file.ts';
import { UsageError } from '../../host/command-line.ts';
import { openDataFolder } from '../../host/data-folder.ts';
import { reportOf } from '../../host/report.ts';
import { openSettings } from './open-settings.ts';

export function reportVerb({ dataDir, out }: { readonly dataDir: string; readonly out?: string }): void {
  if (out !== undefined && existsSync(out))
    throw new UsageError(`--out ${out}: this file exists already. Give another name.`);
  const text = reportOf(openDataFolder(dataDir), openSettings(dataDir), Date.now());
  if (out === undefined) process.stdout.write(text);
  else {
    replaceFile(out, text);
    console.log(`The report is in ${out}. Read it before you share it.`);
  }
}
