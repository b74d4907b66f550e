// Pure: the English texts of data from this computer's archive.

export const archive = {
  /** @param time when the archive received it */
  cachedAt: (time: string): string => `As read ${time}`,
  cachedWhy: 'The service is not available now. These are the last values it sent, stored on this computer.',
};
