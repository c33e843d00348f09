// A hundred changes; the long run has a thousand.
import { describeSecondaries } from '#test/support/secondaries-story.ts';

describeSecondaries(100);
