// Requests that the account is erased, and cancels that while it waits.
import { Alert, List, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { SignInMethodCard } from '../security/sign-in-method-card.tsx';
import { ProofForm } from './archive-card.tsx';

export function ErasureCard({ reason }: { reason: string | undefined }): JSX.Element {
  const query = useRead('erasureGet', {});
  const cancel = useChange('erasureCancel', { successMessage: 'Erasure cancelled', invalidates: ['erasureGet'] });
  const data = query.data;
  const isWaiting = data?.erasure?.status === 'Waiting';
  const blocked = (data?.obstacles.length ?? 1) > 0 ? 'Settle the points below first.' : undefined;
  return (
    <SignInMethodCard
      title="Erasure"
      description="Erases your account and everything about you, except what tax law requires us to keep."
      action={
        isWaiting ? (
          <ActionButton variant="default" disabledReason={reason} onClick={() => cancel.mutateAsync({})}>
            Cancel erasure
          </ActionButton>
        ) : (
          <FormButton
            color="red"
            variant="light"
            title="Erase account"
            disabledReason={reason ?? blocked}
            form={(close) => <ProofForm operation="erasureRequest" label="Request erasure" close={close} />}
          />
        )
      }
    >
      <QueryResult query={query} lines={2}>
        {({ erasure, obstacles, waitingdays, keptyears }) => (
          <>
            {erasure?.status === 'Waiting' && (
              <Alert color="red" title="Erasure requested">
                Your account will be erased <Timestamp at={erasure.eraseon} isRelative />. Until then you can cancel it.
              </Alert>
            )}
            <Text size="sm">
              You can cancel for {waitingdays} days. Invoices are kept for {keptyears} years.
            </Text>
            {obstacles.length > 0 && (
              <List size="sm">
                {obstacles.map((text) => (
                  <List.Item key={text}>{text}</List.Item>
                ))}
              </List>
            )}
          </>
        )}
      </QueryResult>
    </SignInMethodCard>
  );
}
