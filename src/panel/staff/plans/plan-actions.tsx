// What staff can do with a plan of the panel. Plans of the site file are changed there.
import { Group, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { t } from '../../text/text.ts';
import type { Plan } from './plan.ts';
import { PlanForm } from './plan-form.tsx';

export function PlanActions({ plan }: { readonly plan: Plan }): JSX.Element | null {
  const denial = usePermissionDenial()('operator:money');
  const { name } = plan;
  const edit = { size: 'compact-sm', variant: 'default', disabledReason: denial } as const;
  const withdraw = useStaffChange('pricePlanWithdraw', { successMessage: t('Plan withdrawn') });
  const offer = useStaffChange('pricePlanOffer', { successMessage: t('Plan offered again') });
  const remove = useStaffChange('pricePlanDelete', { successMessage: t('Plan deleted') });
  if (plan.origin === 'site') return null;
  return (
    <Group gap={4}>
      <FormButton
        {...edit}
        title={t('Edit {name}', { name })}
        dialogSize="xl"
        form={(close) => <PlanForm plan={plan} close={close} />}
      >
        {t('Edit')}
      </FormButton>
      <FormButton
        {...edit}
        title={t('Apply the prices of {name} to existing services', { name })}
        form={(close) => <ApplyForm name={name} close={close} />}
      >
        {t('Apply')}
      </FormButton>
      {plan.state === 'Offered' ? (
        <ConfirmButton
          {...edit}
          color="brand"
          question={t('Withdraw {name}?', { name })}
          consequence={t('New services cannot use it. Existing services keep it.')}
          confirmLabel={t('Withdraw')}
          onConfirm={() => withdraw.mutateAsync({ name })}
        />
      ) : (
        <ActionButton {...edit} onClick={() => offer.mutate({ name }, { onError: notifyError })}>
          {t('Offer')}
        </ActionButton>
      )}
      {plan.services === '0' && (
        <ConfirmButton
          {...edit}
          question={t('Delete {name}?', { name })}
          consequence={t('Only a plan that no service ever had can be deleted.')}
          confirmLabel={t('Delete')}
          onConfirm={() => remove.mutateAsync({ name })}
        />
      )}
    </Group>
  );
}

function ApplyForm({ name, close }: { readonly name: string; readonly close: () => void }): JSX.Element {
  const fields = useFormFields({ from: new Date().toISOString().slice(0, 10) });
  const apply = useStaffChange('pricePlanApply', { successMessage: t('Price change planned') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Apply')}
      close={close}
      onSubmit={() => apply.mutateAsync({ name, from: fields.values.from })}
    >
      <TextInput
        type="date"
        label={t('From')}
        description={t('Prices agreed for individual services do not change. Tell your customers first.')}
        required
        {...fields.input('from')}
      />
    </Form>
  );
}
