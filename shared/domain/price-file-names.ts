// Pure: names of price files.

/** Files that are read, packed or not; older workbooks are refused with their cure. */
export const PRICE_FILE_NAME = /^[^\n\r]+\.((csv|txt|tsv)(\.gz)?|zip|xlsx?)$/i;
/** Those of an archive. */
export const NESTED_PRICE_FILE = /\.((csv|txt|tsv)(\.gz)?|xlsx?)$/i;
