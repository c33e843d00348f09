// The state of a thing in one word and one colour. The word says it all: the colour is for who sees it.
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
  answers: 'teal',
  assigned: 'teal',
  silent: 'red',
  stuck: 'red',
  unseen: 'yellow',
  withdrawing: 'yellow',
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
  being: 'yellow',
  under: 'red',
  overdue: 'red',
  failed: 'red',
  refused: 'red',
  error: 'red',
};

export function StateBadge({ state }: { state: string }): JSX.Element {
  const word = state.toLowerCase().split(' ')[0]!;
  return (
    <Badge color={colours[word] ?? 'gray'} variant="light" autoContrast tt="none" miw="max-content">
      {state}
    </Badge>
  );
}
