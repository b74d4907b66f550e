// Renderer: the English texts of data from this computer's archive.

export const archive = {
  /** @param time when the archive received it */
  cachedAt: (time: string): string => `As read ${time}`,
  cachedWhy: 'The service cannot be asked now. This is what it said last, kept on this computer.',
};
