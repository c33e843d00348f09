// Twenty times: ten on each engine. Twenty on each: test/long/kill.test.ts.
import { describeShots } from '#test/support/shot-server.ts';

describeShots(10);
