// Bench, own process: waits for an advisory lock, reports it, and holds it.
// It is the floor of a change of leader. Arguments: the address of a database.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const held = client.query('SELECT pg_advisory_lock(1)');
process.send?.({ kind: 'waits' });
await held;
process.send?.({ kind: 'held' });
