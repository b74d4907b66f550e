// Renderer: the texts of what is shown from this computer's own archive.

export const archive = {
  /** @param time when it was received */
  cachedAt: (time: string): string => `As read ${time}`,
  cachedWhy: 'The service cannot be asked now. This is what it said last, kept on this computer.',
};
