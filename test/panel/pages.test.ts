// All pages in light mode; test/long/panel-dark.test.ts has dark mode.
import { describePages } from '#test/support/panel-pages.ts';

describePages('light');
