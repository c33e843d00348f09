// How a background task does.
import type { JSX } from 'react';
import { StateBadge } from '../../parts/state-badge.tsx';
import { t } from '../../text/text.ts';

const badges = {
  well: ['success', t('Success')],
  running: ['running', t('Running')],
  failed: ['failed', t('Failed')],
  late: ['overdue', t('Overdue')],
} as const;

export function SyncBadge({ state }: { state: keyof typeof badges }): JSX.Element {
  const [colour, label] = badges[state];
  return <StateBadge state={colour} label={label} />;
}
