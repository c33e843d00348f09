// Two kills on each engine; test/long/kill.test.ts has twenty.
import { describeKills } from '#test/support/killed-server.ts';

describeKills(2);
