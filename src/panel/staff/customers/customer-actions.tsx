// Edits, suspends, resumes and closes an account, and signs in as its owner.
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FormButton, ReasonButton } from '../../parts/form-button.tsx';
import type { Permission } from '#contract/roles.ts';
import { CustomerForm, type Customer } from './customer-form.tsx';
import { NewNote } from './customer-notes.tsx';
import { ImpersonationForm } from './impersonation-form.tsx';
import { t } from '../../text/text.ts';

export function CustomerActions({ customer }: { customer: Customer }): JSX.Element {
  const denialOf = usePermissionDenial();
  const denial = denialOf('operator:customers');
  const suspend = useStaffChange('accountSuspend', { successMessage: t('Account suspended') });
  const removeFactors = useStaffChange('accountUpdate', { successMessage: t('Second factors removed') });
  const resume = useStaffChange('accountResume', { successMessage: t('Account resumed') });
  const closeAccount = useStaffChange('accountClose', { successMessage: t('Account closed') });
  const { id, status } = customer;
  const name = `${customer.firstname} ${customer.lastname}`;
  const closedReason = status === 'Closed' ? t('The account is closed.') : undefined;
  const can = (permission: Permission): boolean => denialOf(permission) === undefined;
  return (
    <>
      {can('operator:notes') && (
        <FormButton
          variant="default"
          icon="edit"
          title={t('Note on {name}', { name })}
          form={(close) => <NewNote account={id} close={close} />}
        >
          {t('Add note')}
        </FormButton>
      )}
      <FormButton
        variant="default"
        title={t('Edit {name}', { name })}
        dialogSize="lg"
        disabledReason={denial ?? closedReason}
        form={(close) => <CustomerForm customer={customer} close={close} onDone={close} />}
      >
        {t('Edit')}
      </FormButton>
      <FormButton
        variant="default"
        title={t('Sign in as {name}', { name })}
        disabledReason={denialOf('operator:impersonate') ?? closedReason}
        form={(close) => <ImpersonationForm account={id} close={close} />}
      >
        {t('View as customer')}
      </FormButton>
      {status === 'Suspended' ? (
        <ConfirmButton
          variant="default"
          color="brand"
          disabledReason={denial}
          question={t('Resume account {id} of {name}?', { id, name })}
          consequence={t('The account and the services that were suspended for unpaid invoices become active again.')}
          confirmLabel={t('Resume')}
          onConfirm={() => resume.mutateAsync({ id })}
        />
      ) : (
        <ReasonButton
          variant="default"
          title={t('Suspend account {id} of {name}?', { id, name })}
          description={t(
            'Read-only: the customer can view and pay, but cannot change services until you resume the account.',
          )}
          confirmLabel={t('Suspend')}
          disabledReason={denial ?? closedReason}
          onConfirm={(reason) => suspend.mutateAsync({ id, reason })}
        />
      )}
      <ReasonButton
        variant="default"
        title={t('Remove the second factors of {name}?', { name })}
        description={t(
          'For someone who lost their phone: the authenticator app and all passkeys are removed, and every session ends. The customer sees your name and the reason.',
        )}
        confirmLabel={t('Reset 2FA')}
        disabledReason={denialOf('operator:credentials') ?? closedReason}
        onConfirm={(reason) => removeFactors.mutateAsync({ id, forgetfactors: true, reason })}
      />
      <ConfirmButton
        variant="light"
        color="red"
        disabledReason={
          denial ?? closedReason ?? (customer.services === '0' ? undefined : t('Terminate all services first.'))
        }
        question={t('Close account {id} of {name}?', { id, name })}
        consequence={t(
          'All API keys stop working, sign-in is disabled, and all DNS zones are deleted. Invoices are kept. This cannot be undone.',
        )}
        confirmText={name}
        confirmLabel={t('Close account')}
        onConfirm={() => closeAccount.mutateAsync({ id })}
      />
    </>
  );
}
