// All pages as they are in the light; in the dark: test/long/panel-dark.test.ts.
import { describePages } from '#test/support/panel-pages.ts';

describePages('light');
