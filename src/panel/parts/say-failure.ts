// A word about what failed where there is no place on the page for it.
import { notifications } from '@mantine/notifications';

export function sayFailure(error: unknown): void {
  notifications.show({ title: 'That did not work', message: (error as Error).message, color: 'red' });
}
