// Each failure once. test/long/under-load.test.ts has more of them, a PostgreSQL clock that jumps, and a primary that
// becomes a replica.
import { describeFailuresOnPostgres, describeFailuresOnSqlite } from '#test/support/under-load.ts';

describeFailuresOnSqlite({ shots: 1, clock: [25, 0] });
describeFailuresOnPostgres({ shots: 1, clock: [], loss: 'crash' });
