// Pure: the event of an alert of another program; the core makes it, no service sends it.
// A file of its own: the first page needs the name, and not what reads such an alert.
export const FOREIGN_EVENT = 'foreign.alert';
