// Test harness: how many cases a test tries in a short run (`npm test`) and in a whole one (`npm run test:all`).

export const IS_WHOLE = process.env.BAROGRAPH_TESTS === 'all';

/** A short run tries a few cases of a property, which find most faults; a whole one tries all. */
export const casesOf = (whole: number, short: number): number => (IS_WHOLE ? whole : short);
