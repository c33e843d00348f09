// All pages of the panel in dark mode, where contrasts differ.
import { describePages } from '#test/support/panel-pages.ts';

describePages('dark');
