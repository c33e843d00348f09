// The name of the button that switches between light and dark.
import { t } from '../text/text.ts';

export function schemeSwitchLabel(next: 'dark' | 'light'): string {
  return next === 'dark' ? t('Switch to dark mode') : t('Switch to light mode');
}
