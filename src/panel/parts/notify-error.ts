// Shows an error as a notification, for actions without a place on the page for it.
import { notifications } from '@mantine/notifications';
import { t } from '../text/text.ts';
import { errorText } from './error-text.ts';

export function notifyError(error: unknown, title = t('Something went wrong')): void {
  notifications.show({ title, message: errorText(error as Error).message, color: 'red' });
}
