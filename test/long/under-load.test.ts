// Failures of every kind while customers' programs are at work, repeatedly.
import { describeFailuresOnPostgres, describeFailuresOnSqlite } from '#test/support/under-load.ts';

describeFailuresOnSqlite({ shots: 10, clock: [1, 25, 24, 0, -1, -25, -24, 0] });
describeFailuresOnPostgres({ shots: 5, clock: [1, 25, 24, 0], loss: 'demotion' });
describeFailuresOnPostgres({ shots: 1, clock: [], loss: 'crash' });
