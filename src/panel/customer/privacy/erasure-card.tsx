// Requests that the account is erased, and cancels that while it waits.
import { Alert, List, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { useThingNames } from '../names.ts';
import { SignInMethodCard } from '../security/sign-in-method-card.tsx';
import { rich } from '../../text/rich.ts';
import { t, tCount } from '../../text/text.ts';
import { ProofForm } from './archive-card.tsx';
import { obstacleText } from './obstacle-text.ts';

export function ErasureCard({ reason }: { reason: string | undefined }): JSX.Element {
  const query = useRead('erasureGet', {});
  const cancel = useChange('erasureCancel', { successMessage: t('Erasure cancelled'), invalidates: ['erasureGet'] });
  const nameOf = useThingNames();
  const session = useRead('sessionGet', {});
  const names = {
    hostnameOf: (service: string) => nameOf('service', service),
    currency: session.data?.currencyprefix ?? '',
  };
  const data = query.data;
  const isWaiting = data?.erasure?.status === 'Waiting';
  const blocked = (data?.obstacles.length ?? 1) > 0 ? t('Resolve the items below first.') : undefined;
  return (
    <SignInMethodCard
      title={t('Erasure')}
      description={t('Erases your account and everything about you, except what tax law requires us to keep.')}
      action={
        isWaiting ? (
          <ActionButton
            variant="default"
            disabledReason={reason}
            loading={cancel.isPending}
            onClick={() => cancel.mutate({}, { onError: notifyError })}
          >
            {t('Cancel erasure')}
          </ActionButton>
        ) : (
          <FormButton
            color="red"
            variant="light"
            title={t('Erase account')}
            disabledReason={reason ?? blocked}
            form={(close) => <ProofForm operation="erasureRequest" label={t('Request erasure')} close={close} />}
          />
        )
      }
    >
      <QueryResult query={query} lines={2}>
        {({ erasure, obstacles, waitingdays, keptyears }) => (
          <>
            {erasure?.status === 'Waiting' && (
              <Alert color="red" title={t('Erasure requested')}>
                {rich('Your account will be erased {time}. Until then you can cancel it.', {
                  time: <Timestamp at={erasure.eraseon} isRelative />,
                })}
              </Alert>
            )}
            <Text size="sm">
              {[
                tCount(Number(waitingdays), {
                  one: 'You can cancel this for {count} day.',
                  other: 'You can cancel this for {count} days.',
                }),
                tCount(Number(keptyears), {
                  one: 'Invoices are kept for {count} year.',
                  other: 'Invoices are kept for {count} years.',
                }),
              ].join(' ')}
            </Text>
            {obstacles.length > 0 && (
              <List size="sm">
                {obstacles.map((text) => (
                  <List.Item key={text}>{obstacleText(text, names)}</List.Item>
                ))}
              </List>
            )}
          </>
        )}
      </QueryResult>
    </SignInMethodCard>
  );
}
