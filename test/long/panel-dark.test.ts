// All pages of the panel in both modes, where contrasts differ, on a phone, a tablet and a desktop.
import { allWidths, describePages } from '#test/support/panel-pages.ts';

describePages('light', allWidths);
describePages('dark', allWidths);
