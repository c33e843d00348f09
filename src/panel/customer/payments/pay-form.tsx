// Pays with a stored method, or goes to the page of the payment provider.
import { Select } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useRead, type Result } from '../../data/operations.ts';
import type { FormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { leaveFor } from '../../parts/leave-for.ts';
import { t } from '../../text/text.ts';

export type StartedPayment = Result<'invoicePay'>;
export type PaymentMethod = Result<'paymentMethodList'>[number];

/** The choice for a page of the payment provider. */
const byPage = 'page';

/** Returns the input of a payment for what the person has chosen. */
export function chosenMethod(method: string): { readonly method?: string } {
  return method === byPage ? {} : { method };
}

/** Returns the method that is chosen at first: the default one, or else the payment page if there is one. */
export function firstChoice(methods: readonly PaymentMethod[], isOnline: boolean): string {
  const active = methods.filter(({ state }) => state === 'active');
  return active.find((method) => method.default)?.id ?? (isOnline ? byPage : (active[0]?.id ?? ''));
}

export interface PayFormProps {
  readonly fields: FormFields<{ method: string; amount: string }>;
  readonly close: () => void;
  readonly pay: () => Promise<StartedPayment>;
  /** Above the choice of the method. */
  readonly children?: ReactNode;
}

export function PayForm({ fields, close, pay, children }: PayFormProps): JSX.Element {
  const methods = useRead('paymentMethodList', {}).data ?? [];
  const isOnline = useRead('paymentGet', {}).data?.online === true;
  const stored = methods.filter(({ state }) => state === 'active').map(({ id, label }) => ({ value: id, label }));
  const page = isOnline ? [{ value: byPage, label: t('Card or other method, on the payment page') }] : [];
  return (
    <Form
      fields={fields}
      submitLabel={t('Pay')}
      onCancel={close}
      onSubmit={async () => {
        const { url } = await pay();
        if (url === '') close();
        else await leaveFor(url);
      }}
    >
      {children}
      <Select
        label={t('Payment method')}
        allowDeselect={false}
        data={[...stored, ...page]}
        required
        value={fields.values.method || null}
        error={fields.errorOf('method')}
        onChange={(method) => fields.set({ method: method! })}
      />
    </Form>
  );
}
