// The result of an audited operation: a badge, and the reason if it failed.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { spellOut } from './operation-labels.ts';
import { StateBadge } from './state-badge.tsx';

/** `begun` marks the start of an operation that gets another entry when it has finished. */
export function isFailure(outcome: string): boolean {
  return outcome !== 'success' && outcome !== 'begun';
}

export function AuditResult({ outcome }: { outcome: string }): JSX.Element {
  if (!isFailure(outcome)) return <StateBadge state={outcome === 'begun' ? 'Started' : 'Success'} />;
  return (
    <>
      <StateBadge state="Failed" />
      <Text size="xs" c="dimmed">
        {spellOut(outcome)}
      </Text>
    </>
  );
}
