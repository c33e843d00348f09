// All pages of the panel in the dark, where contrasts are others.
import { describePages } from '#test/support/panel-pages.ts';

describePages('dark');
