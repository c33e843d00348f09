// Edits, suspends, resumes and closes an account.
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ConfirmButton } from '../../parts/action-button.tsx';
import { FormButton, ReasonButton } from '../../parts/form-button.tsx';
import { CustomerForm, type Customer } from './customer-form.tsx';

export function CustomerActions({ customer }: { customer: Customer }): JSX.Element {
  const denial = usePermissionDenial()('operator:customers');
  const suspend = useStaffChange('accountSuspend', { successMessage: 'Account suspended' });
  const resume = useStaffChange('accountResume', { successMessage: 'Account resumed' });
  const closeAccount = useStaffChange('accountClose', { successMessage: 'Account closed' });
  const { id, status } = customer;
  const name = `${customer.firstname} ${customer.lastname}`;
  const closedReason = status === 'Closed' ? 'The account is closed.' : undefined;
  return (
    <>
      <FormButton
        variant="default"
        title={`Edit ${name}`}
        dialogSize="lg"
        disabledReason={denial ?? closedReason}
        form={(close) => <CustomerForm customer={customer} close={close} onDone={close} />}
      >
        Edit
      </FormButton>
      {status === 'Suspended' ? (
        <ConfirmButton
          variant="default"
          color="brand"
          disabledReason={denial}
          question={`Resume account ${id} of ${name}?`}
          consequence="The account and the services that were suspended for unpaid invoices become active again."
          confirmLabel="Resume"
          onConfirm={() => resume.mutateAsync({ id })}
        />
      ) : (
        <ReasonButton
          variant="default"
          title={`Suspend account ${id} of ${name}?`}
          description="Read-only: the customer can view and pay, but cannot change services until you resume the account."
          confirmLabel="Suspend"
          disabledReason={denial ?? closedReason}
          onConfirm={(reason) => suspend.mutateAsync({ id, reason })}
        />
      )}
      <ConfirmButton
        variant="light"
        color="red"
        disabledReason={
          denial ?? closedReason ?? (customer.services === '0' ? undefined : 'Terminate all services first.')
        }
        question={`Close account ${id} of ${name}?`}
        consequence="All API keys stop working and sign-in is disabled. Invoices are kept. This cannot be undone."
        confirmText={id}
        confirmLabel="Close account"
        onConfirm={() => closeAccount.mutateAsync({ id })}
      />
    </>
  );
}
