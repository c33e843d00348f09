// Each fault once. More of them, a clock of PostgreSQL that jumps, and a primary that becomes a replica: test/long/under-load.test.ts.
import { storyOnPostgres, storyOnSqlite } from '#test/support/under-load.ts';

storyOnSqlite({ shots: 1, clock: [25, 0] });
storyOnPostgres({ shots: 1, clock: [], loss: 'crash' });
