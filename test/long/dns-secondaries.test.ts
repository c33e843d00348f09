// A thousand changes; every run has a hundred.
import { describeSecondaries } from '#test/support/secondaries-story.ts';

describeSecondaries(1000);
