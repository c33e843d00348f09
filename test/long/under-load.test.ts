// Every fault again and again; every run has each once.
import { storyOnPostgres, storyOnSqlite } from '#test/support/under-load.ts';

storyOnSqlite({ shots: 10, clock: [1, 25, 24, 0, -1, -25, -24, 0] });
storyOnPostgres({ shots: 5, clock: [1, 25, 24, 0], loss: 'demotion' });
storyOnPostgres({ shots: 1, clock: [], loss: 'crash' });
