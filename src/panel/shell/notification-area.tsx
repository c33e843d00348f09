// Displays messages where they cover no control: in the middle of the header, which is empty, or at the end of the page
// if the window is narrow. One that comes before the display has loaded waits for it.
import { useMediaQuery } from '@mantine/hooks';
import { useNotifications } from '@mantine/notifications';
import type { JSX } from 'react';
import { useLater, usePart } from './later.ts';

const loadDisplay = async () => (await import('./notification-display.tsx')).Notifications;

export function NotificationArea(): JSX.Element | null {
  const [isLater] = useLater();
  const { notifications } = useNotifications();
  const isNarrow = useMediaQuery('(max-width: 62em)');
  const Display = usePart(loadDisplay, isLater || notifications.length > 0);
  if (Display === undefined) return null;
  const position = isNarrow ? 'bottom-center' : 'top-center';
  // Stacked, because the header has room for one. Part of the page, so that a narrow one can scroll past it.
  return <Display position={position} layout="stacked" containerWidth={520} withinPortal={false} />;
}
