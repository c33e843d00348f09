// Lists the person's own sessions, and ends one or all others.
import { Badge, Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Methods } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ConfirmButton } from '../../parts/action-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

type OpenSession = Awaited<ReturnType<Methods['sessionList']>>[number];

const deviceName = ({ device }: OpenSession): string => (device === '' ? 'Unknown device' : device);

export function SessionsCard({ reason }: { reason: string | undefined }): JSX.Element {
  const sessions = useRead('sessionList', {}, { enabled: reason === undefined });
  const hasOthers = (sessions.data ?? []).some(({ current }) => current === '0');
  const end = useChange('sessionRevoke', { successMessage: 'Session ended', invalidates: ['sessionList'] });
  const columns: readonly Column<OpenSession>[] = [
    {
      label: 'Device',
      fw: 600,
      cell: (session) => (
        <Group gap="xs">
          {deviceName(session)}
          {session.current === '1' && (
            <Badge size="sm" variant="light">
              This session
            </Badge>
          )}
        </Group>
      ),
    },
    { label: 'Address', ff: 'monospace', className: 'wrap-anywhere', cell: ({ address }) => address },
    { label: 'Signed in', cell: ({ created }) => <Timestamp at={created} /> },
    { label: 'Last used', cell: ({ lastused }) => <Timestamp at={lastused} isRelative /> },
    {
      label: 'Actions',
      width: 1,
      cell: (session) =>
        session.current === '0' && (
          <ConfirmButton
            size="compact-sm"
            variant="light"
            color="red"
            aria-label={`End the session on ${deviceName(session)}`}
            question={`End the session on ${deviceName(session)}?`}
            consequence={`It was last used from ${session.address}. Signing in there again needs your password.`}
            confirmLabel="End session"
            onConfirm={() => end.mutateAsync({ id: session.id })}
          >
            End
          </ConfirmButton>
        ),
    },
  ];
  return (
    <SignInMethodCard
      title="Sessions"
      description="Where you are signed in. End those that you do not recognize, and change your password. Places are not shown, because addresses are not sent to a service that looks them up."
      action={
        <ConfirmButton
          variant="default"
          disabledReason={reason ?? (hasOthers ? undefined : 'There are no other sessions.')}
          question="End all other sessions?"
          consequence="You stay signed in here only. API keys keep working."
          confirmLabel="End all others"
          onConfirm={() => end.mutateAsync({})}
        />
      }
    >
      {reason === undefined && (
        <QueryResult query={sessions} lines={2} empty={<Text size="sm">No sessions</Text>}>
          {(all) => (
            <PlainTable label="Your sessions" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={640} />
          )}
        </QueryResult>
      )}
    </SignInMethodCard>
  );
}
