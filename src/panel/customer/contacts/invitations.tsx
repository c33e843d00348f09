// Invitations that were not accepted yet.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Invitation } from '#sdk/v2.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { contactName } from './contact.ts';
import { t } from '../../text/text.ts';

const columns: readonly Column<Invitation>[] = [
  {
    label: t('Name'),
    cell: (invitation) => (
      <>
        <Text size="sm" fw={600}>
          {contactName(invitation)}
        </Text>
        <Dimmed size="xs">{invitation.email}</Dimmed>
      </>
    ),
  },
  { label: t('Invited by'), cell: ({ invitedby }) => invitedby },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Expires'), cell: ({ expires }) => <Timestamp at={expires} /> },
  { label: t('Actions'), width: 1, cell: (invitation) => <Actions invitation={invitation} /> },
];

/** Nothing if there are none. */
export function Invitations(): JSX.Element | null {
  const { data = [] } = useRead('invitationGet', {});
  if (data.length === 0) return null;
  return (
    <Section title={t('Invitations')}>
      <TableCard label={t('Invitations')} columns={columns} rows={data} rowKey={({ id }) => id} minWidth={720} />
    </Section>
  );
}

function Actions({ invitation }: { invitation: Invitation }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const { id, email } = invitation;
  const name = contactName(invitation);
  const invalidates = ['invitationGet'];
  const resend = useChange('invitationResend', {
    successMessage: t('Invitation sent to {email}', { email }),
    invalidates,
  });
  const revoke = useChange('invitationDelete', { successMessage: t('Invitation revoked'), invalidates });
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton
        isInRow
        loading={resend.isPending}
        disabledReason={scopeDenial('account:keys')}
        onClick={() => resend.mutate({ id }, { onError: notifyError })}
        aria-label={t('Send again to {name}', { name })}
      >
        {t('Send again')}
      </ActionButton>
      <DangerButton
        disabledReason={scopeDenial('account:keys')}
        aria-label={t('Revoke the invitation of {name}', { name })}
        question={t('Revoke the invitation of {name}?', { name })}
        consequence={t('The link stops working. The contact stays.')}
        confirmLabel={t('Revoke')}
        onConfirm={() => revoke.mutateAsync({ id })}
      />
    </Group>
  );
}
