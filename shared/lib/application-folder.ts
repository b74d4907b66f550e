// Pure: the folder of the platform for the files of this application (XDG_DATA_HOME on Linux).

export interface Computer {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

export function applicationFolder({ platform, env, home }: Computer): string {
  if (platform === 'win32') return `${env.LOCALAPPDATA || `${home}\\AppData\\Local`}\\barograph\\Data`;
  if (platform === 'darwin') return `${home}/Library/Application Support/barograph`;
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/barograph`;
}
