// Lists the person's own sessions, and ends one or all others.
import { Badge, Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { ConfirmButton, DangerButton } from '../../parts/confirm-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { SignInMethodCard } from './sign-in-method-card.tsx';

type OpenSession = Result<'sessionList'>[number];

const deviceName = ({ device }: OpenSession): string => (device === '' ? t('Unknown device') : device);

export function SessionsCard({ reason }: { reason: string | undefined }): JSX.Element {
  const sessions = useRead('sessionList', {}, { enabled: reason === undefined });
  const hasOthers = (sessions.data ?? []).some(({ current }) => current === '0');
  const end = useChange('sessionRevoke', { successMessage: t('Session ended'), invalidates: ['sessionList'] });
  const columns: readonly Column<OpenSession>[] = [
    {
      label: t('Device'),
      fw: 600,
      cell: (session) => (
        <Group gap="xs">
          {deviceName(session)}
          {session.current === '1' && (
            <Badge size="sm" variant="light">
              {t('This session')}
            </Badge>
          )}
        </Group>
      ),
    },
    { label: t('Address'), ff: 'monospace', className: 'wrap-anywhere', cell: ({ address }) => address },
    { label: t('Signed in'), cell: ({ created }) => <Timestamp at={created} /> },
    { label: t('Last used'), cell: ({ lastused }) => <Timestamp at={lastused} isRelative /> },
    {
      label: t('Actions'),
      width: 1,
      cell: (session) =>
        session.current === '0' && (
          <DangerButton
            aria-label={t('End the session on {device}', { device: deviceName(session) })}
            question={t('End the session on {device}?', { device: deviceName(session) })}
            consequence={t('It was last used from {address}. Signing in there again needs your password.', {
              address: session.address,
            })}
            confirmLabel={t('End session')}
            onConfirm={() => end.mutateAsync({ id: session.id })}
          >
            {t('End')}
          </DangerButton>
        ),
    },
  ];
  return (
    <SignInMethodCard
      title={t('Sessions')}
      description={t('Where you are signed in. If you do not recognise a session, end it and change your password.')}
      action={
        <ConfirmButton
          variant="default"
          disabledReason={reason ?? (hasOthers ? undefined : t('There are no other sessions.'))}
          question={t('End all other sessions?')}
          consequence={t('You stay signed in here only. API keys keep working.')}
          confirmLabel={t('End all others')}
          onConfirm={() => end.mutateAsync({})}
        />
      }
    >
      {reason === undefined && (
        <QueryResult query={sessions} lines={2} empty={<Text size="sm">{t('No sessions')}</Text>}>
          {(all) => (
            <PlainTable
              label={t('Your sessions')}
              columns={columns}
              rows={all}
              rowKey={({ id }) => id}
              minWidth={640}
            />
          )}
        </QueryResult>
      )}
    </SignInMethodCard>
  );
}
