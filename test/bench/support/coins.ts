// Bench: names of coins.
export const coinAt = (index: number): string => `C${String(index).padStart(3, '0')}`;
