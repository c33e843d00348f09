// Archives and erasure of a customer's account, for requests by letter.
import { Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';
import { FileButton } from '../../parts/file-button.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';

export function CustomerPrivacy({ account }: { account: string }): JSX.Element {
  const archives = useStaffRead('accountExportList', { id: account }, { refetchMs: 5000 });
  const denial = usePermissionDenial()('operator:customers');
  const create = useStaffChange('accountExportCreate', {
    successMessage: t('Archive requested'),
    invalidates: ['accountExportList'],
  });
  const erase = useStaffChange('erasureRequest', { successMessage: t('Erasure requested') });
  return (
    <Stack>
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
          title={t('Erase account')}
          disabledReason={denial}
          description={t(
            'Erases the account after the waiting time, except what tax law requires. The customer is notified and can cancel it.',
          )}
          confirmLabel={t('Request erasure')}
          confirmText={account}
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
