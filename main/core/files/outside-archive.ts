// Main, core: the files of the packager's archive that lie beside it, for the programs of threads and processes.

/**
 * A packaged app reads its files from inside an archive, through a file system that Electron lays over Node's.
 * A thread or process starts from the plain file beside the archive (`asarUnpack` in electron-builder.yml): it
 * loads itself and its packages as under plain Node.
 * @param location path or URL of a file
 */
export const outsideArchive = (location: string): string =>
  location.replace(/([\\/]app\.asar)(?=[\\/])/, '$1.unpacked');
