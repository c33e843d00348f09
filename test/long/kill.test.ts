// Twenty kills on each engine; every run has ten.
import { describeKills } from '#test/support/killed-server.ts';

describeKills(20);
