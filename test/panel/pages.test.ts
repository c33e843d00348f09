// All pages in light mode on a desktop; test/long/panel-dark.test.ts has both modes and three widths.
import { describePages } from '#test/support/panel-pages.ts';

describePages('light');
