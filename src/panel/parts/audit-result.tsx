// The result of an audited operation: a badge, and the reason if it failed.
import type { JSX } from 'react';
import { Dimmed } from './dimmed.tsx';
import { spellOut } from '#text/operation-labels.ts';
import { StateBadge } from './state-badge.tsx';
import { t } from '../text/text.ts';

/** `begun` marks the start of an operation that gets another entry when it has finished. */
export function isFailure(outcome: string): boolean {
  return outcome !== 'success' && outcome !== 'begun';
}

export function AuditResult({ outcome }: { outcome: string }): JSX.Element {
  if (!isFailure(outcome)) return <StateBadge state={outcome === 'begun' ? 'Started' : 'Success'} />;
  return (
    <>
      <StateBadge state="Failed" />
      <Dimmed size="xs">{outcome === 'unauthenticated' ? t('Wrong password or code') : spellOut(outcome)}</Dimmed>
    </>
  );
}
