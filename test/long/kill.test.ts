// Twenty shots on each engine; every run has ten.
import { describeShots } from '#test/support/shot-server.ts';

describeShots(20);
