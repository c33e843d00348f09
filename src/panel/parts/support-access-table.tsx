// Times during which a member of staff could view an account.
import type { JSX } from 'react';
import type { Result } from '../data/operations.ts';
import { DangerButton } from './confirm-button.tsx';
import { StateBadge } from './state-badge.tsx';
import { PlainTable, type Column } from './table-card.tsx';
import { Timestamp } from './timestamp.tsx';
import { t } from '../text/text.ts';

type SupportAccess = Result<'supportAccessList'>[number];

export interface SupportAccessTableProps {
  readonly accesses: readonly SupportAccess[];
  /** Why the viewer cannot end one; undefined if they can. */
  readonly denial: string | undefined;
  readonly onEnd: (id: string) => Promise<unknown>;
}

export function SupportAccessTable({ accesses, denial, onEnd }: SupportAccessTableProps): JSX.Element {
  const columns: readonly Column<SupportAccess>[] = [
    { label: t('Staff'), fw: 600, cell: ({ operator }) => operator },
    { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => reason },
    { label: t('Started'), cell: ({ started }) => <Timestamp at={started} /> },
    {
      label: t('Ended'),
      cell: ({ status, ended }) => (status === 'Active' ? <StateBadge state="Active" /> : <Timestamp at={ended} />),
    },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, operator, status }) =>
        status === 'Active' && (
          <DangerButton
            aria-label={t('End access of {name}', { name: operator })}
            disabledReason={denial}
            question={t('End the access of {name}?', { name: operator })}
            consequence={t('They are signed out of this account immediately.')}
            confirmLabel={t('End access')}
            onConfirm={() => onEnd(id)}
          />
        ),
    },
  ];
  return (
    <PlainTable label={t('Support access')} columns={columns} rows={accesses} rowKey={({ id }) => id} minWidth={640} />
  );
}
