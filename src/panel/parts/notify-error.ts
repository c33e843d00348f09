// Shows errors as notifications, for actions without a place on the page for them.
import { notifications } from '@mantine/notifications';
import { t } from '../text/text.ts';
import { errorText } from './error-text.ts';

export function notifyError(error: unknown): void {
  notifyFailure(t('Something went wrong'), error);
}

export function notifyFailure(title: string, error: unknown): void {
  notifications.show({ title, message: errorText(error as Error).message, color: 'red' });
}
