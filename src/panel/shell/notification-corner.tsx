// Displays messages in a corner of the panel. One that comes before the display has loaded waits for it.
import { useNotifications } from '@mantine/notifications';
import type { JSX } from 'react';
import { useLater, usePart } from './later.ts';

const loadDisplay = async () => (await import('./notification-display.tsx')).Notifications;

export function NotificationCorner(): JSX.Element | null {
  const [isLater] = useLater();
  const { notifications } = useNotifications();
  const Display = usePart(loadDisplay, isLater || notifications.length > 0);
  return Display === undefined ? null : <Display position="bottom-right" />;
}
