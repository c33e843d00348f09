// Twenty kills on each engine; every run has two, on SQLite.
import { describeKills } from '#test/support/killed-server.ts';

describeKills(20);
