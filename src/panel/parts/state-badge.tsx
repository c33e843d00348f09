// A state as a coloured badge. The text alone says it all; the colour only helps to scan.
import { Badge } from '@mantine/core';
import type { JSX } from 'react';

const colours: Readonly<Record<string, string>> = {
  on: 'teal',
  online: 'teal',
  active: 'teal',
  paid: 'teal',
  up: 'teal',
  enabled: 'teal',
  completed: 'teal',
  done: 'teal',
  delivered: 'teal',
  success: 'teal',
  approved: 'teal',
  assigned: 'teal',
  stuck: 'red',
  locked: 'orange',
  maintenance: 'orange',
  closed: 'gray',
  expired: 'gray',
  revoked: 'gray',
  off: 'gray',
  offline: 'gray',
  disabled: 'gray',
  down: 'gray',
  cancelled: 'gray',
  ended: 'gray',
  terminated: 'gray',
  unpaid: 'yellow',
  pending: 'yellow',
  queued: 'yellow',
  suspended: 'orange',
  unknown: 'orange',
  running: 'blue',
  booting: 'blue',
  installing: 'blue',
  'null-routed': 'orange',
  overdue: 'red',
  failed: 'red',
  rejected: 'red',
  'not responding': 'red',
  'not checked yet': 'yellow',
  ongoing: 'red',
  removing: 'yellow',
};

export function StateBadge({ state }: { state: string }): JSX.Element {
  const text = state.toLowerCase();
  return (
    <Badge
      color={colours[text] ?? colours[text.split(' ')[0]!] ?? 'gray'}
      variant="light"
      autoContrast
      tt="none"
      miw="max-content"
    >
      {state}
    </Badge>
  );
}
