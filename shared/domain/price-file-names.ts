// Pure: names of price files.

/** Files that are read, packed or not; older workbooks are refused with their cure. Excel keeps ~$ beside an open one. */
export const PRICE_FILE_NAME = /^(?!~\$|\._)[^\n\r]+\.((csv|txt|tsv)(\.gz)?|zip|xlsx?)$/i;
/** Those with several tables, and packed ones: what lies beside them counts first. */
export const ARCHIVE_NAME = /\.(zip|xlsx?)$/i;
/** Those of an archive. */
export const NESTED_PRICE_FILE = /\.((csv|txt|tsv)(\.gz)?|xlsx?)$/i;
/** Of files that are none of the above: tables and archives. */
export const UNREAD_FILE_NAME = /^(?!~\$|\.).*\.(gz|bz2|xz|zst|zip|7z|rar|tar|tgz|parquet|feather|ods|xls[mb])$/i;
/** Of a price folder: lists of what is due. */
export const EVENT_FOLDER = 'events';
