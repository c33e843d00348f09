// Licence orders that wait for a key, and the form to deliver it.
import { Stack, Text, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../data/identity.ts';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { FormButton } from '../parts/form-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { licenceName } from '#contract/licence-name.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { CustomerAmount, CustomerLink, ServiceLink, WorkflowLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { t } from '../text/text.ts';

type Order = Row<'licenceOrderList'>;

export function LicenceOrdersPage(): JSX.Element {
  const orders = useStaffPages('licenceOrderList', {});
  const denial = usePermissionDenial()('operator:licences');
  const columns: readonly Column<Order>[] = [
    { label: t('Order'), isNumber: true, width: 1, cell: ({ id }) => id },
    { label: t('Licence'), cell: titleOf },
    { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
    { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
    {
      label: t('Price per month'),
      isNumber: true,
      cell: ({ account, price }) => <CustomerAmount account={account} amount={price} />,
    },
    { label: t('Ordered'), cell: ({ ordered }) => <Timestamp at={ordered} isRelative /> },
    { label: t('Job'), cell: ({ workflow }) => <WorkflowLink id={workflow}>{t('View')}</WorkflowLink> },
    {
      label: t('Actions'),
      width: 1,
      cell: (order) => (
        <FormButton
          size="compact-sm"
          title={t('Deliver {licence}', { licence: titleOf(order) })}
          disabledReason={denial}
          aria-label={t('Enter the key of order {id}', { id: order.id })}
          form={(close) => <KeyForm order={order} close={close} />}
        >
          {t('Enter key')}
        </FormButton>
      ),
    },
  ];
  return (
    <Page title={t('Licence keys')} description={t('Orders that wait for a key from the vendor')}>
      <Stack>
        <PagedTable
          query={orders}
          label={t('Licence orders')}
          columns={columns}
          minWidth={880}
          empty={
            <EmptyCard icon="licence" title={t('No orders are waiting')}>
              {t('Orders that need a key from you appear here.')}
            </EmptyCard>
          }
        />
      </Stack>
    </Page>
  );
}

function titleOf({ licence, label }: Order): string {
  return label || licenceName(licence);
}

function KeyForm({ order, close }: { order: Order; close: () => void }): JSX.Element {
  const fields = useFormFields({ key: '' });
  const deliver = useStaffChange('licenceOrderDeliver', {
    successMessage: t('Licence key of order {id} delivered', { id: order.id }),
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Deliver')}
      close={close}
      onSubmit={() => deliver.mutateAsync({ id: order.id, key: fields.values.key.trim() })}
    >
      <Text size="sm">
        {t('The customer sees the key at once and is notified. You cannot read or replace it afterwards.')}
      </Text>
      <Textarea
        label={t('Licence key')}
        required
        autosize
        minRows={1}
        maxRows={8}
        data-autofocus
        ff="monospace"
        autoComplete="off"
        spellCheck={false}
        {...fields.input('key')}
      />
    </Form>
  );
}
