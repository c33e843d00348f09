// Shows an error as a notification, for actions without a place on the page for it.
import { notifications } from '@mantine/notifications';

export function notifyError(error: unknown, title = 'Something went wrong'): void {
  notifications.show({ title, message: (error as Error).message, color: 'red' });
}
