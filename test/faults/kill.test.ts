// Two kills; test/long/kill.test.ts has twenty, on each engine.
import { describeKills } from '#test/support/killed-server.ts';

describeKills(2);
