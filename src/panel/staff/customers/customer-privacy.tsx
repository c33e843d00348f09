// Archives and erasure of a customer's account, for requests by letter.
import { Alert, Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { FileButton } from '../../parts/file-button.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import type { Customer } from './customer-form.tsx';

export function CustomerPrivacy({ customer }: { customer: Customer }): JSX.Element {
  const { id: account, firstname, lastname } = customer;
  const name = `${firstname} ${lastname}`;
  const archives = useStaffRead('accountExportList', { id: account }, { refetchMs: 5000 });
  const denial = usePermissionDenial()('operator:customers');
  const create = useStaffChange('accountExportCreate', {
    successMessage: t('Archive requested'),
    invalidates: ['accountExportList'],
  });
  const erase = useStaffChange('erasureRequest', { successMessage: t('Erasure requested') });
  return (
    <Stack>
      <WaitingErasure account={account} />
      <Group>
        <ReasonButton
          variant="default"
          title={t('Create archive')}
          disabledReason={denial}
          description={t('A ZIP file with everything about the account. The customer sees the reason.')}
          confirmLabel={t('Create archive')}
          onConfirm={(reason) => create.mutateAsync({ id: account, reason })}
        />
        <ReasonButton
          color="red"
          variant="light"
          title={t('Erase account {id} of {name}?', { id: account, name })}
          disabledReason={denial}
          description={t(
            'Erases the account after the waiting time, except what tax law requires. The customer is notified and can cancel it.',
          )}
          confirmLabel={t('Request erasure')}
          confirmText={name}
          onConfirm={(reason) => erase.mutateAsync({ id: account, reason })}
        />
      </Group>
      <QueryResult query={archives} lines={2} empty={<Text size="sm">{t('No archives')}</Text>}>
        {(all) => (
          <Card padding="sm">
            <Stack gap="xs">
              {all.map(({ id, status, created, operator, reason }) => (
                <Group key={id} gap="xs">
                  <StateBadge state={status} />
                  <Text size="sm">
                    <Timestamp at={created} />
                  </Text>
                  <Text size="sm">{operator === '' ? t('Requested by the customer') : `${operator}: ${reason}`}</Text>
                  {status === 'Ready' && operator !== '' && (
                    <FileButton load={() => staffApi().accountExportFile({ export: Number(id) })}>
                      {t('Download')}
                    </FileButton>
                  )}
                </Group>
              ))}
            </Stack>
          </Card>
        )}
      </QueryResult>
    </Stack>
  );
}

/** Shows nothing unless the account is going to be erased. */
function WaitingErasure({ account }: { account: string }): JSX.Element | null {
  // The first account after the one before: the list has no other filter.
  const { data } = useStaffRead('erasureList', { limit: 1, after: Number(account) - 1 });
  const denial = usePermissionDenial()('operator:customers');
  const cancel = useStaffChange('erasureCancel', { successMessage: t('Erasure cancelled') });
  const erasure = data?.find((candidate) => candidate.account === account && candidate.status === 'Waiting');
  if (erasure === undefined) return null;
  return (
    <Alert color="red" variant="light" title={t('Erasure requested')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {rich('The account will be erased {time}.', { time: <Timestamp at={erasure.eraseon} isRelative /> })}{' '}
          {erasure.operator === '' ? t('Requested by the customer') : `${erasure.operator}: ${erasure.reason}`}
        </Text>
        {cancel.error !== null && <ErrorAlert error={cancel.error} />}
        <ActionButton
          size="xs"
          variant="default"
          disabledReason={denial}
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id: account })}
        >
          {t('Cancel erasure')}
        </ActionButton>
      </Stack>
    </Alert>
  );
}
