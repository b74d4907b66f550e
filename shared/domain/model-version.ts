// Pure: versions of models: which one is the operator's own, not the one that Barograph ships.

/** Begins the name of an own model within a version: dd-p-3+own-mine.0a1b2c. */
export const OWN_MODEL_PREFIX = 'own-';

export const isOwnModel = (version: string): boolean => version.includes(`+${OWN_MODEL_PREFIX}`);
